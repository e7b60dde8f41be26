/** Bodies that do not fit, and what is complained of. */
type WrongBodies = ReadonlyArray<readonly [body: unknown, faulty: ReadonlyArray<string>]>

/** Of `POST /operator/accounts`. */
export const wrongAccounts: WrongBodies = [
  [{}, ["name"]],
  ["", ["name"]],
  ["[]", ["body"]],
  ["{", ["body"]],
  [{ name: "Upper" }, ["name"]],
  [{ name: "../swaps" }, ["name"]],
  [{ name: "a".repeat(65) }, ["name"]],
  [{ name: "-a" }, ["name"]],
  [{ name: 1 }, ["name"]],
  [{ name: ["a", "b"] }, ["name"]],
  [{ commissionBps: 996, affiliates: "yes", allowedOrigins: ["app.example"], mcp: "no", suspended: 1 }, [
    "affiliates",
    "allowedOrigins",
    "commissionBps",
    "mcp",
    "name",
    "suspended",
  ]],
  [{ name: "fine", commissionBps: -1 }, ["commissionBps"]],
  [{ name: "fine", commissionBps: 1.5 }, ["commissionBps"]],
  [{ name: "fine", allowedOrigins: ["https://a.example", "*"] }, ["allowedOrigins"]],
  [{ name: "fine", allowedOrigins: Array(101).fill("https://a.example") }, ["allowedOrigins"]],
]

/** Of `POST /operator/accounts/{name}/keys`. */
export const wrongKeys: WrongBodies = [
  [{ scopes: [] }, ["scopes"]],
  [{ scopes: ["quote", "everything"] }, ["scopes"]],
  [{ scopes: "quote swap" }, ["scopes"]],
  [{ expiresAt: "tomorrow", label: "", scopes: [1] }, ["expiresAt", "label", "scopes"]],
  [{ expiresAt: 1_000 }, ["expiresAt"]],
  [{ expiresAt: -1 }, ["expiresAt"]],
  [{ expiresAt: 253_402_300_800_000 }, ["expiresAt"]],
  [{ label: "x".repeat(101) }, ["label"]],
  [{ label: "nul \u0000" }, ["label"]],
  [{ label: " spaces " }, ["label"]],
]

/** Of `PUT /operator/accounts/{name}/routes`. */
export const wrongRoutes: WrongBodies = [
  [{}, ["allowed", "destinationAsset", "sourceAsset"]],
  [{ sourceAsset: "gold", destinationAsset: "**", allowed: "no" }, [
    "allowed",
    "destinationAsset",
    "sourceAsset",
  ]],
  [{ sourceAsset: "*", destinationAsset: "*", allowed: null }, ["allowed"]],
]
