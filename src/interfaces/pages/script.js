"use strict"
const everyMillis = 5000
const staleMillis = 30000
const said = document.getElementById("said")

const copied = (button) => {
  const before = button.firstChild.textContent
  const word = said.dataset.copied ?? "Copied"
  button.firstChild.textContent = word
  said.textContent = word
  setTimeout(() => {
    button.firstChild.textContent = before
    said.textContent = ""
  }, 1500)
}

const showCopyButtons = () => {
  for (const button of document.querySelectorAll("button[data-copy]")) button.hidden = false
}

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("button[data-copy]") : null
  if (button === null) return
  // The copied text is exactly the text on the page; of an amount its exact number alone.
  const part = button.previousElementSibling
  navigator.clipboard.writeText(part.querySelector("data")?.value ?? part.textContent).then(
    () => copied(button),
    () => {
      said.textContent = said.dataset.refused ?? "The browser did not allow to copy"
    },
  )
})

/** Whether the reader has the focus or a selection in a part, which an update would destroy. */
const isInUse = (part) => {
  const selection = getSelection()
  return part.contains(document.activeElement) && document.activeElement !== document.body ||
    selection !== null && !selection.isCollapsed && part.contains(selection.anchorNode)
}

/**
 * Replaces each live part with its new form, and parts that only go along with live ones. Details that the reader opened stay open. A part in use is left alone,
 * unless its new form is urgent: that takes away what must not be used any more, such as an address.
 */
const takeOver = (next) => {
  for (const part of document.querySelectorAll("[data-live][id], [data-along][id]")) {
    const fresh = next.getElementById(part.id)
    if (fresh === null || isInUse(part) && !fresh.hasAttribute("data-urgent")) continue
    for (const details of part.querySelectorAll("details[open][id]")) {
      next.getElementById(details.id)?.setAttribute("open", "")
    }
    for (const button of fresh.querySelectorAll("button[data-copy]")) button.hidden = false
    if (fresh.innerHTML !== part.innerHTML) part.replaceChildren(...fresh.childNodes)
  }
  document.dispatchEvent(new Event("fresh"))
}

let freshAt = Date.now()

/** A page that could not be brought up to date for some time says so, and hides what holds for a fresh one only. */
const tellAge = () => {
  const isStale = Date.now() - freshAt > staleMillis
  for (const part of document.querySelectorAll("[data-stale]")) part.hidden = !isStale
  for (const part of document.querySelectorAll("[data-fresh]")) part.hidden = isStale
}

const bringUpToDate = async () => {
  if (document.visibilityState !== "visible") return
  tellAge()
  const answer = await fetch(location.href, { redirect: "manual", headers: { accept: "text/html" } })
  if (answer.type === "opaqueredirect" || answer.status === 404) return location.reload()
  if (!answer.ok) return
  takeOver(new DOMParser().parseFromString(await answer.text(), "text/html"))
  freshAt = Date.now()
  tellAge()
}

const keepUpToDate = () => {
  if (document.querySelector("[data-live]") === null) return
  const update = () => bringUpToDate().catch(() => undefined)
  const again = () => setTimeout(() => update().then(again), everyMillis)
  again()
  // A page that was put away and is looked at again may be days old.
  document.addEventListener("visibilitychange", update)
}

/** The code of a link stands after its #, which browsers tell nobody; it is taken out of the address at once. */
const takeCode = () => {
  const field = document.querySelector("input[data-code]")
  if (field === null || location.hash.length < 2) return
  field.value = location.hash.slice(1)
  history.replaceState(null, "", location.pathname)
  field.closest("label").hidden = true
}

/** A picture that is stored as a data URL is taken out of a file: the browser reads it into the field. */
const takePictures = () => {
  for (const field of document.querySelectorAll("input[data-picture]")) {
    const file = Object.assign(document.createElement("input"), {
      type: "file",
      accept: "image/png,image/jpeg,image/webp",
      ariaLabel: "Choose a file for the logo",
    })
    file.addEventListener("change", () => {
      const reader = new FileReader()
      reader.addEventListener("load", () => field.value = reader.result)
      if (file.files.length > 0) reader.readAsDataURL(file.files[0])
    })
    field.closest("label").after(file)
  }
}

/** On a narrow screen the current tab may be out of sight. */
const showCurrentTab = () => {
  for (const tab of document.querySelectorAll(".tabs [aria-current]")) {
    tab.parentElement.scrollLeft = tab.offsetLeft - 16
  }
}

showCopyButtons()
takePictures()
showCurrentTab()
keepUpToDate()
takeCode()
addEventListener("hashchange", takeCode)
