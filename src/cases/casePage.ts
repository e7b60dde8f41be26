import { type Html, html } from "../pages/html.ts"
import { document } from "../pages/layout.ts"
import { facts, folded, notice, section, time, verbatim } from "../pages/parts.ts"
import { path } from "../pages/Url.ts"
import { isWrong } from "../domain/Guidance.ts"
import type { MadeCase } from "./Cases.ts"

/** The most characters of an upstream's answer that the page shows; the file has all of it. */
const mostShown = 1_000

/** The most characters of a file that stands in its page: nobody reads a longer one there. */
const mostInPage = 256 * 1024

const entryOf = (
  { entry, guidance }: MadeCase["told"]["journal"][number],
  now: MadeCase["told"]["madeAt"],
): Html => {
  const { at, note } = entry
  return html`<li><p>${time(at, now)} ${guidance.text}</p>${
    note._tag === "Stall" || note.body === undefined
      ? html``
      : folded("What the upstream said", verbatim(note.body.text, "What the upstream said", mostShown))
  }</li>`
}

/** The case file as a page for people, with the signed text in it unless that is very long. */
export const casePage = ({ text, told }: MadeCase): string => {
  const { guidance, journal, madeAt, record } = told
  const page = document({
    title: `Case file of swap ${record.id}`,
    site: "Swap Broker",
    home: path`/docs`,
    files: {
      style: path`/dashboard/style.css`,
      icon: path`/dashboard/icon.svg`,
      script: path`/dashboard/script.js`,
    },
    nav: [],
  }, [
    section({ title: "Where it stands", id: "state" }, [
      notice(isWrong(guidance.phase) ? "bad" : "info", guidance.text),
      html`<ul class="advice">${guidance.whatYouCanDo.map((sentence) => html`<li>${sentence}</li>`)}</ul>`,
      facts([
        ["Swap", `${record.id}`],
        ["Provider", record.platform],
        ["Opening", record.opening],
        ["Requested", time(record.requestedAt, madeAt)],
      ]),
    ]),
    section(
      { title: "What happened", id: "journal" },
      html`<ol>${journal.map((one) => entryOf(one, madeAt))}</ol>`,
    ),
    section({ title: "The signed file", id: "file" }, [
      html`<p>Signed is its first line, with the line break, by a key of /.well-known/swap-broker-case-keys.</p>`,
      text.length > mostInPage
        ? notice("info", `It has ${text.length} characters. Ask for it with "Accept: application/json".`)
        : verbatim(text, "The signed file", text.length),
    ]),
  ])
  return `${page}`
}
