import { assert, describe, it } from "@effect/vitest"
import { cycles } from "./support/cycles.ts"
import { mayImport, type Room, roomOf, rooms, roomsOf, wingOf, wings } from "./support/rooms.ts"
import { modules } from "./support/source.ts"

/** The rows that a row may import and that do not stand below it. */
const upwards = (rows: ReadonlyArray<Room>) =>
  rows.flatMap(({ mayImport, name }, index) =>
    mayImport
      .filter((below) => {
        const at = rows.findIndex((row) => below === row.name)
        const whole = rows.findIndex((row) => below.startsWith(`${row.name}/`))
        return (at < 0 ? whole : at) <= index
      })
      .map((other) => `${name} may import ${other}, which does not stand below it`)
  )

describe("the floors of src", () => {
  it("list wings and rooms that are there", () => {
    const missing = [
      ...wings.filter((wing) => !modules.some(({ path }) => wingOf(path) === wing)),
      ...rooms.filter((room) => !modules.some(({ path }) => roomOf(path) === room)),
    ]
    assert.deepStrictEqual(missing.map(({ name }) => name), [])
  })

  it("give every file a wing, and a room where its wing has rooms", () => {
    const homeless = modules.map(({ path }) => path).filter((path) => {
      const wing = wingOf(path)
      return wing === undefined || roomsOf(wing.name).length > 0 && roomOf(path) === undefined
    })
    assert.deepStrictEqual(homeless, [])
  })

  it("let wings and rooms import only what stands below them", () => {
    assert.deepStrictEqual([...upwards(wings), ...wings.flatMap(({ name }) => upwards(roomsOf(name)))], [])
  })

  it("are kept by every import", () => {
    const arrows = modules.flatMap(({ imports, path }) =>
      imports.filter((imported) => imported.startsWith("src/") && !mayImport(path, imported))
        .map((imported) => `${path} -> ${imported}`)
    )
    assert.deepStrictEqual(arrows, [])
  })

  it("have no files that import each other, however indirectly", () => {
    const arrows = new Map(modules.map(({ path, imports }) => [path, imports]))
    const found = cycles(arrows).map((members) => members.join(" "))
    assert.deepStrictEqual(found, [])
  })
})
