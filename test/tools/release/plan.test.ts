import { assert, describe, it } from "@effect/vitest"
import { named, refused, sbom, unknownOf } from "#tools/release/sbom.ts"
import { notesOf, refusal } from "#tools/release/plan.ts"

const changelog = "# Changes\n\n## 1.10.0\n\nTen.\n\n## 1.1.0\n\nOne.\n\n- More.\n\n## 1.0.0\n\nFirst.\n"
const wanted = { version: "1.1.0", tag: "v1.1.0", changelog, changes: "" }

describe("what stands in the way of a release", () => {
  it("is nothing for the tag of a version that the changelog has", () => {
    assert.isUndefined(refusal(wanted))
    assert.isUndefined(refusal({ ...wanted, tag: undefined }))
  })

  it("is another tag, a version without a section, or a change without a commit", () => {
    assert.match(refusal({ ...wanted, tag: "v1.1" }) ?? "", /v1\.1 is not v1\.1\.0/)
    assert.match(refusal({ ...wanted, tag: undefined, version: "2.0.0" }) ?? "", /nothing of version 2\.0\.0/)
    assert.match(refusal({ ...wanted, changes: " M README.md\n" }) ?? "", /no commit has/)
  })

  it("is not in the notes, which are the section of the version", () => {
    assert.strictEqual(notesOf(changelog, "1.1.0"), "One.\n\n- More.")
  })
})

const one = { name: "@a/b", version: "1.0.0", integrity: "sha512-AAEC", licence: "MIT" }

const shell = { name: "dash", version: "1:0.5", architecture: "amd64", distribution: "debian" }

describe("the bill of materials", () => {
  it("names a package by its place in npm, its hash and its licence", () => {
    const { components } = JSON.parse(sbom("1.1.0", { packages: [one], system: [shell], deno: "2.9.6" }))
    assert.deepInclude(components[1], {
      purl: "pkg:npm/%40a/b@1.0.0",
      hashes: [{ alg: "SHA-512", content: "000102" }],
    })
    assert.deepInclude(components[2], {
      purl: "pkg:deb/debian/dash@1%3A0.5?arch=amd64",
      licenses: [{ expression: "BSD-3-Clause" }],
    })
  })

  it("lets nothing of the system into the image whose licence nobody has looked at", () => {
    assert.deepStrictEqual(unknownOf([shell, { ...shell, name: "bash" }]), ["bash"])
  })

  it("reads name and version of a key with peers", () => {
    assert.deepStrictEqual(named("@a/b@1.0.0-beta.1_c@2.0.0"), { name: "@a/b", version: "1.0.0-beta.1" })
  })

  it("refuses a licence that asks for more than its text", () => {
    const licences = ["MIT", "(GPL-3.0 OR MIT)", "MIT AND GPL-3.0", "SEE LICENSE"]
    const packages = licences.map((licence) => ({ ...one, name: licence, licence }))
    assert.deepStrictEqual(refused(packages).map((text) => text.split(" (")[0]), [
      "MIT AND GPL-3.0",
      "SEE LICENSE",
    ])
  })
})

describe("the workflows", () => {
  it.each(["release.yml", "ci.yml"])("run tasks that there are: %s", async (name) => {
    const text = await Deno.readTextFile(new URL(`../../../.github/workflows/${name}`, import.meta.url))
    const { tasks } = JSON.parse(await Deno.readTextFile(new URL("../../../deno.json", import.meta.url)))
    for (const [, task = ""] of text.matchAll(/deno@\S+ task (\S+)/g)) assert.property(tasks, task)
    assert.match(text, /task release out|bash \.ci\/run/)
  })
})
