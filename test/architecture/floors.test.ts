import { assert, describe, it } from "@effect/vitest"
import { cycles } from "./support/cycles.ts"
import { mayImport, roomOf, rooms } from "./support/rooms.ts"
import { modules } from "./support/source.ts"

describe("the floors of src", () => {
  it("list rooms that are there", () => {
    const missing = rooms.filter((room) => !modules.some(({ path }) => roomOf(path) === room))
    assert.deepStrictEqual(missing.map(({ name }) => name), [])
  })

  it("give every file a room of the table in src/README.md", () => {
    assert.deepStrictEqual(
      modules.filter(({ path }) => roomOf(path) === undefined).map(({ path }) => path),
      [],
    )
  })

  it("let a room import rooms below it only", () => {
    const upwards = rooms.flatMap(({ name, mayImport }, index) =>
      mayImport
        .filter((below) => rooms.findIndex((room) => room.name === below) <= index)
        .map((other) => `${name} may import ${other}, which does not stand below it`)
    )
    assert.deepStrictEqual(upwards, [])
  })

  it("are kept by every import", () => {
    const arrows = modules.flatMap(({ path, imports }) =>
      imports.filter((imported) => imported.startsWith("src/")).flatMap((imported) => {
        const [from, to] = [roomOf(path), roomOf(imported)]
        return from === undefined || to === undefined || mayImport(from, path, to, imported)
          ? []
          : [`${path} -> ${imported}`]
      })
    )
    assert.deepStrictEqual(arrows, [])
  })

  it("have no files that import each other, however indirectly", () => {
    const arrows = new Map(modules.map(({ path, imports }) => [path, imports]))
    const found = cycles(arrows).map((members) => members.join(" "))
    assert.deepStrictEqual(found, [])
  })
})
