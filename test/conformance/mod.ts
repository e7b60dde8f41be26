/** The conformance kit: what any provider is asked, and what a provider tells it of itself. */
export * from "./clientOver.ts"
export * from "./Fixtures.ts"
export * from "./Provider.ts"
export * from "./Upstream.ts"
export * from "./withRows.ts"
