import { assert, describe, it } from "@effect/vitest"

/** Elements that must not compile, each in a line of its own. */
const wrong = [
  `<a href={"javascript:alert(1)"}>x</a>`,
  `<a href="/a">x</a>`,
  `<form action="/a"></form>`,
  `<img src="https://example.com/x.png" alt="" width="1" height="1" />`,
  `<script src={path\`/a\`}>x</script>`,
  `<style>x</style>`,
  `<p style="x">x</p>`,
  `<p onclick="x">x</p>`,
  `<p clas="x">x</p>`,
  `<iframe srcdoc="x"></iframe>`,
  `<p>{{ text: 1 }}</p>`,
  `<p title={<b>x</b>}>x</p>`,
  `<mark>x</mark>`,
]
const right = "<p class={false} data-x=\"1\"><a href={path`/a`}>{['x', 1, 2n, false]}</a></p>"

const checkout = new URL("../../../", import.meta.url).pathname

describe("the types of the pages", () => {
  it("refuse what would be code, leads anywhere, or is misspelt", async () => {
    const folder = await Deno.makeTempDir()
    try {
      const file = `${folder}/wrong.tsx`
      const elements = [right, ...wrong].map((element, number) => `export const e${number} = ${element}`)
      const lines = ['import { path } from "#interfaces/pages/jsx-runtime.ts"', ...elements]
      await Deno.writeTextFile(file, lines.join("\n"))
      const { stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["check", "--config", `${checkout}deno.json`, file],
        cwd: checkout,
        env: { NO_COLOR: "1" },
      }).output()
      const faulty = new Set(
        [...new TextDecoder().decode(stderr).matchAll(/wrong\.tsx:(\d+):/g)].map(([, line]) => Number(line)),
      )
      assert.sameMembers([...faulty], wrong.map((_, index) => index + 3))
    } finally {
      await Deno.remove(folder, { recursive: true })
    }
  })
})
