import { assert, describe, it } from "@effect/vitest"
import { attributes, html } from "#interfaces/pages/html.ts"
import { path, pathBelow, pathOf, secureUrl, withQuery } from "#interfaces/pages/Url.ts"

const hostile = `"'><script>canary()</script>&\u202e\0`

describe("html", () => {
  it("escapes values between tags and in quotes", () => {
    const markup = "&gt;&lt;script&gt;canary()&lt;/script&gt;&amp;\ufffd\ufffd"
    assert.strictEqual(
      `${html`<p title="a ${hostile}">${hostile}</p>`}`,
      `<p title="a &quot;&#39;${markup}">"'${markup}</p>`,
    )
  })

  it("takes over what it made itself, and lists of it", () => {
    const items = ["a", "<"].map((text) => html`<li>${text}</li>`)
    assert.strictEqual(
      `${html`<ul>${items}${["&"]}${undefined}${false}</ul>`}`,
      "<ul><li>a</li><li>&lt;</li>&amp;</ul>",
    )
  })

  it("leaves out attributes that are not set, and escapes the others", () => {
    assert.strictEqual(
      `${html`<p ${attributes({ id: '"', hidden: true, class: undefined, open: false })}></p>`}`,
      '<p id="&quot;" hidden></p>',
    )
  })

  /** Templates whose value stands where none may, or is of the wrong kind there. */
  const refused = {
    "a text as the target of a link": () => html`<a href="${"javascript:canary()"}">x</a>`,
    "a text as the target of a form": () => html`<form action="${"/x"}"></form>`,
    "a part of a link's target": () => html`<a href="/a/${path`/b`}">x</a>`,
    "a value in a script": () => html`<script>${"x"}</script>`,
    "a value in a style": () => html`<style>${"x"}</style>`,
    "a value in a comment": () => html`<!-- ${"x"} -->`,
    "a value without quotes": () => html`<p class=${"x"}></p>`,
    "a value in single quotes": () => html`<p class='${"x"}'></p>`,
    "a value in a handler": () => html`<p onclick="${"x"}"></p>`,
    "a value as a style": () => html`<p style="${"x"}"></p>`,
    "a value as a whole document": () => html`<iframe srcdoc="${"x"}"></iframe>`,
    "a tag's name": () => html`<${"x"}>`,
    "an attribute's name": () => html`<p ${"onclick"}="x"></p>`,
    "an attribute's name, begun": () => html`<p on${"click"}="x"></p>`,
    "markup in an attribute": () => html`<p title="${html`<b>x</b>`}"></p>`,
    "attributes between tags": () => html`<p>${attributes({ id: "x" })}</p>`,
    "an unfinished tag": () => html`<p`,
  } as const

  for (const [what, make] of Object.entries(refused)) {
    it(`refuses ${what}`, () => {
      assert.throws(make)
    })
  }
})

describe("places that a link leads to", () => {
  it("hold each value in one part of the path", () => {
    assert.strictEqual(`${path`/swaps/${"../x?y#z"}/${7}`}`, "/swaps/..%2Fx%3Fy%23z/7")
    assert.strictEqual(`${path`/swaps/${".."}`}`, "/swaps/-")
    assert.strictEqual(`${withQuery(path`/a`, { x: "&b=", y: undefined, z: "" })}`, "/a?x=%26b%3D")
    assert.strictEqual(`${withQuery(withQuery(path`/a`, { x: 1 }), { y: 2 })}`, "/a?x=1&y=2")
    assert.strictEqual(`${pathOf("/a/:name/b/:id", (name) => `${name}/..`)}`, "/a/name%2F../b/id%2F..")
  })

  it("lead elsewhere by https alone", () => {
    assert.strictEqual(`${secureUrl("https://example.com/a?b")}`, "https://example.com/a?b")
    const others = [
      "http://example.com",
      "javascript:canary()",
      " javascript:canary()",
      "data:text/html,x",
      "//example.com",
      "https://user:word@example.com",
      "",
    ]
    for (const text of others) assert.isUndefined(secureUrl(text), text)
  })

  it("that came with a request stay below their root", () => {
    assert.strictEqual(`${pathBelow("/dashboard", "/dashboard/swaps?x=1")}`, "/dashboard/swaps?x=1")
    const others = [
      "//example.com/dashboard",
      "https://example.com/dashboard",
      "/dashboards",
      "/dashboard/../docs",
      "\\\\example.com\\dashboard",
      "/\\example.com/dashboard",
      "javascript:canary()",
      "/docs",
      "",
    ]
    for (const text of others) assert.isUndefined(pathBelow("/dashboard", text), text)
  })
})
