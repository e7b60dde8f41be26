{
  /** The language that is chosen holds for all samples, stays in the address and goes along with links. */
  const choose = (language) => {
    for (const radio of document.querySelectorAll(".langs input")) {
      if (radio.value === language) radio.checked = true
    }
    const here = new URL(location.href)
    here.searchParams.set("lang", language)
    history.replaceState(null, "", here)
    for (const link of document.querySelectorAll('a[href^="/docs"]')) {
      const there = new URL(link.href)
      there.searchParams.set("lang", language)
      link.href = there.href
    }
  }
  document.addEventListener("change", ({ target }) => {
    if (target.matches(".langs input")) choose(target.value)
  })
  const chosen = new URL(location.href).searchParams.get("lang")
  if (chosen !== null) choose(chosen)

  /** Results are shown while a reader types: the list of the page that the form leads to. */
  const form = document.querySelector("form.search")
  const field = form.querySelector("input")
  const box = document.createElement("div")
  box.className = "found"
  box.hidden = true
  form.append(box)
  let waits
  const show = async () => {
    const wanted = field.value.trim()
    if (wanted.length < 2) return box.hidden = true
    const url = new URL(form.action)
    url.searchParams.set("q", wanted)
    const text = await (await fetch(url)).text()
    if (field.value.trim() !== wanted) return
    const page = new DOMParser().parseFromString(text, "text/html")
    box.replaceChildren(page.querySelector("main .hits, main .empty"))
    box.hidden = false
  }
  field.addEventListener("input", () => {
    clearTimeout(waits)
    waits = setTimeout(show, 150)
  })
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") box.hidden = true
  })
  document.addEventListener("click", ({ target }) => {
    if (!form.contains(target)) box.hidden = true
  })

  /** Of a long list of pages the part with this one is shown. */
  const side = document.querySelector(".side")
  side.scrollTop = (side.querySelector("[aria-current]")?.offsetTop ?? 0) - side.clientHeight / 2
}
