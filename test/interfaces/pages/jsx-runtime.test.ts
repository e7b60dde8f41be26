import { assert, describe, it } from "@effect/vitest"
import {
  type Child,
  documentOf,
  Fragment,
  jsx,
  jsxAttr,
  jsxEscape,
  jsxTemplate,
  path,
} from "#interfaces/pages/jsx-runtime.ts"

const hostile = `"'><script>canary()</script>&\u202e\0`
const harmless = "&gt;&lt;script&gt;canary()&lt;/script&gt;&amp;\ufffd\ufffd"

describe("the runtime of the pages", () => {
  it("escapes a text between tags and in quotes", () => {
    const expected = `<p title="&quot;&#39;${harmless}">"'${harmless}</p>`
    assert.strictEqual(`${jsx("p", { title: hostile, children: hostile })}`, expected)
    const compiled = jsxTemplate(["<p ", ">", "</p>"], jsxAttr("title", hostile), jsxEscape(hostile))
    assert.strictEqual(`${compiled}`, expected)
  })

  it("takes what it made itself, and lists of it", () => {
    const items = ["a", "<"].map((children) => jsx("li", { children }))
    const children: Child = [items, ["&"], undefined, false, 7, 8n]
    const expected = "<li>a</li><li>&lt;</li>&amp;78"
    assert.strictEqual(`${jsx("ul", { children })}`, `<ul>${expected}</ul>`)
    assert.strictEqual(`${Fragment({ children })}`, expected)
    assert.strictEqual(`${jsxTemplate(["<ul>", "</ul>"], children)}`, `<ul>${expected}</ul>`)
  })

  it("leaves out attributes that are not set, and closes no void element", () => {
    const props = {
      id: '"',
      hidden: true,
      class: undefined,
      open: false,
      href: path`/a`,
      children: undefined,
    }
    assert.strictEqual(`${jsx("p", props)}`, '<p id="&quot;" hidden href="/a"></p>')
    assert.strictEqual(`${jsx("input", { required: true, children: undefined })}`, "<input required>")
    assert.strictEqual(`${documentOf(jsx("html", {}))}`, "<!doctype html><html></html>")
  })
})
