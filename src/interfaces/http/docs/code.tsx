import { type Html } from "../../pages/jsx-runtime.ts"
import { highlighted } from "../../pages/highlight.tsx"

/** A program or a text in a language: `sh`, `js`, `python`, `json`, or none. */
export interface Sample {
  readonly language: string
  readonly source: string
}

/** The names of the languages that a reader chooses from. */
const names: Readonly<Record<string, string>> = {
  sh: "curl",
  js: "JavaScript",
  ts: "TypeScript",
  python: "Python",
}

const pane = ({ language, source }: Sample, isOneOf: boolean): Html => (
  <div class="pane" data-lang={isOneOf && language}>
    <pre tabindex="0"><code>{highlighted(source, language)}</code></pre>
    {source.split("\n").length > 40 && (
      <label class="whole btn">
        <input type="checkbox" class="un" />
        <span>Show all {source.split("\n").length} lines</span>
        <span>Show fewer lines</span>
      </label>
    )}
    <button type="button" class="quiet" hidden data-copy="">
      Copy<span class="un">{" the code"}</span>
    </button>
  </div>
)

/** The title of a block without one: the language of a program, so that the button to copy lies beside it. */
const barOf = (samples: ReadonlyArray<Sample>): Html | undefined => {
  const [language = ""] = samples.length === 1 ? samples.map((one) => one.language) : []
  return language in names ? <>{language === "sh" ? "Shell" : names[language]}</> : undefined
}

/**
 * Code that can be scrolled by keys and copied. Of the same in several languages, one is shown: radio buttons choose it
 * without a script. `name` is that of the choice, which no other on the page has.
 */
export const codeOf = (samples: ReadonlyArray<Sample>, name: string, title = barOf(samples)): Html => (
  <div class="code">
    {title !== undefined && <p class="name">{title}</p>}
    {samples.length > 1 && (
      <fieldset class="langs">
        <legend class="un">Language</legend>
        {samples.map(({ language }, index) => (
          <label>
            <input type="radio" name={name} value={language} checked={index === 0} />
            {names[language] ?? language}
          </label>
        ))}
      </fieldset>
    )}
    {samples.map((sample) => pane(sample, samples.length > 1))}
  </div>
)
