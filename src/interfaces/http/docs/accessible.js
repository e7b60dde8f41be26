"use strict"
const mend = () => {
  for (const button of document.querySelectorAll("[aria-selected]:not([role])")) {
    button.setAttribute("aria-current", button.getAttribute("aria-selected"))
    button.removeAttribute("aria-selected")
  }
  for (const part of document.querySelectorAll("aside[role]")) part.removeAttribute("role")
  for (const button of document.querySelectorAll("button[role=search]")) button.removeAttribute("role")
  for (const button of document.querySelectorAll("button.show-more[aria-label]")) {
    button.removeAttribute("aria-label")
  }
  for (const field of document.querySelectorAll("[contenteditable=true]:not([aria-label])")) {
    field.setAttribute("aria-label", "Value")
  }
  for (
    const box of document.querySelectorAll(
      "code.hljs:not([tabindex]), ul.endpoints:not([tabindex]), pre:not([tabindex])",
    )
  ) {
    box.setAttribute("tabindex", "0")
  }
  for (const link of document.querySelectorAll('a[href*="scalar.com"]')) link.remove()
}
/** Without a place in its address the page opens on the request for quotes, filled in. */
let isOpening = location.hash === ""
if (isOpening) history.replaceState(null, "", "#tag/quotes/GET/quotes")
const open = () => {
  const button = [...document.querySelectorAll("button.show-api-client-button")]
    .find(({ textContent }) => textContent.includes("get /quotes)"))
  if (!isOpening || button === undefined) return
  isOpening = false
  button.click()
}
let isDue = false
new MutationObserver(() => {
  if (isDue) return
  isDue = true
  requestAnimationFrame(() => {
    isDue = false
    mend()
    open()
  })
}).observe(document.documentElement, {
  childList: true,
  subtree: true,
  attributes: true,
  attributeFilter: ["aria-selected", "aria-label"],
})
