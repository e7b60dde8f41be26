import { OpenApi } from "effect/http-api"
import { Api } from "#api/Api.ts"
import { type Contract, contractIn } from "#api/document/Contract.ts"
import { shared } from "#api/document/shared.ts"
import { SandboxApi } from "#interfaces/http/Sandbox.ts"
import { planOf } from "./operations.ts"
import { pythonClient } from "./python.ts"
import { typescriptClient } from "./typescript.ts"

/** The contract of this code, sandbox included, as the service serves it. */
export const contract = (): Contract =>
  contractIn(JSON.stringify(shared({ ...OpenApi.fromApi(Api.addHttpApi(SandboxApi)) })))

const here = new URL("./", import.meta.url)

const read = (path: string): string => Deno.readTextFileSync(new URL(path, here))

/** The files of a package by their paths below its folder. */
export type Package = Readonly<Record<string, string>>

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const description = "Client of Swap Broker, a self-hosted HTTP service for cross-chain swaps"

export const npmName = "swap-broker-client"

const npmPackage = (version: string) => ({
  name: npmName,
  version,
  description,
  license: "MIT",
  type: "module",
  exports: { ".": { types: `./${npmName}.d.ts`, default: `./${npmName}.js` } },
  types: `./${npmName}.d.ts`,
  files: [`${npmName}.ts`, `${npmName}.js`, `${npmName}.d.ts`],
  sideEffects: false,
  engines: { node: ">=18" },
})

const pyproject = (version: string): string =>
  `[project]
name = "swap-broker-client"
version = "${version}"
description = "${description}"
readme = "README.md"
license = { text = "MIT" }
requires-python = ">=3.9"

[build-system]
requires = ["setuptools>=61"]
build-backend = "setuptools.build_meta"

[tool.setuptools]
py-modules = ["swap_broker"]
`

export const packages = () => {
  const plan = planOf(contract())
  const licence = read("../../../LICENSE")
  return {
    typescript: {
      "package.json": json(npmPackage(plan.version)),
      "README.md": read("typescript/package.md"),
      LICENSE: licence,
      [`${npmName}.ts`]: typescriptClient(plan, (file) => read(`typescript/${file}.ts`)),
    },
    python: {
      "pyproject.toml": pyproject(plan.version),
      "README.md": read("python/package.md"),
      LICENSE: licence,
      "swap_broker.py": pythonClient(
        plan,
        ["runtime", "connection"].map((file) => read(`python/${file}.py`)),
      ),
    },
  }
}
