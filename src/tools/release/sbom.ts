import { Schema } from "effect"

/** The part of `deno.lock` that a bill of materials is made of. */
export const Lock = Schema.fromJsonString(Schema.Struct({
  npm: Schema.Record(Schema.String, Schema.Struct({ integrity: Schema.String })),
}))

export interface Package {
  readonly name: string
  readonly version: string
  readonly integrity: string
  readonly licence: string
}

const permissive = new Set(
  "MIT MIT-0 ISC BSD-2-Clause BSD-3-Clause Apache-2.0 0BSD Unlicense BlueOak-1.0.0 CC0-1.0".split(" "),
)

/** Whether a licence lets us ship: one of a choice is enough, and all of a sum are needed. */
const isPermissive = (licence: string): boolean =>
  licence.replace(/^\((.*)\)$/, "$1").split(" OR ").some((one) =>
    one.split(" AND ").every((part) => permissive.has(part))
  )

/** The packages that may not be shipped, each with its licence. */
export const refused = (packages: ReadonlyArray<Package>): ReadonlyArray<string> =>
  packages.flatMap(({ licence, name }) => isPermissive(licence) ? [] : [`${name} (${licence})`])

/** Name and version of a key of the lock, which ends with those of its peers. */
export const named = (key: string): { readonly name: string; readonly version: string } => {
  const at = key.indexOf("@", 1)
  return { name: key.slice(0, at), version: key.slice(at + 1).split("_", 1)[0] ?? "" }
}

/** A package of Debian or of a system made of it, of which the image has files. */
export interface SystemPackage {
  readonly name: string
  readonly version: string
  readonly architecture: string
  readonly distribution: string
}

/** The licences of what an image may have of its system: libraries that programs of any licence may be linked to. */
const systemLicences: Readonly<Record<string, string>> = {
  dash: "BSD-3-Clause",
  libc6: "LGPL-2.1-or-later",
  "libgcc-s1": "GPL-3.0-or-later WITH GCC-exception-3.1",
}

/** The packages of the system that may not be in an image, as nobody has looked at their licences. */
export const unknownOf = (packages: ReadonlyArray<SystemPackage>): ReadonlyArray<string> =>
  packages.map(({ name }) => name).filter((name) => !Object.hasOwn(systemLicences, name))

const ofSystem = ({ architecture, distribution, name, version }: SystemPackage) => {
  const purl = `pkg:deb/${distribution}/${name}@${encodeURIComponent(version)}?arch=${architecture}`
  const licenses = [{ expression: systemLicences[name] ?? "" }]
  return { type: "library", "bom-ref": purl, name, version, purl, licenses }
}

const component = ({ integrity, licence, name, version }: Package) => ({
  type: "library",
  "bom-ref": `pkg:npm/${name.replace("@", "%40")}@${version}`,
  name,
  version,
  purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
  hashes: [{ alg: "SHA-512", content: Uint8Array.fromBase64(integrity.replace("sha512-", "")).toHex() }],
  licenses: [{ expression: licence }],
})

/** The bill of materials, as CycloneDX 1.6: of the binary, and of what the image has besides. */
export const sbom = (
  version: string,
  { deno, packages, system }: {
    readonly packages: ReadonlyArray<Package>
    readonly system: ReadonlyArray<SystemPackage>
    readonly deno: string
  },
): string => {
  const runtime = { type: "platform", name: "deno", version: deno, licenses: [{ expression: "MIT" }] }
  const unique = new Map(packages.map((one) => [`${one.name}@${one.version}`, component(one)]))
  const content = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { type: "application", name: "swap-broker", version } },
    components: [runtime, ...unique.values(), ...system.map(ofSystem)],
  }
  return `${JSON.stringify(content, null, 2)}\n`
}
