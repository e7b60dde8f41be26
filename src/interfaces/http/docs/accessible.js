"use strict"
// Adds the names of fields and buttons, and the scrolling by keys, that Scalar leaves out for people who use no
// pointer or do not see the page. It has a file of its own, as the page's policy runs no other script.
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
let isDue = false
new MutationObserver(() => {
  if (isDue) return
  isDue = true
  requestAnimationFrame(() => {
    isDue = false
    mend()
  })
}).observe(document.documentElement, {
  childList: true,
  subtree: true,
  attributes: true,
  attributeFilter: ["aria-selected", "aria-label"],
})
