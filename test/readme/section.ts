/** What stands between two markers of a document. */
export const section = (document: string, name: string): string => {
  const [, rest = ""] = document.split(`<!-- ${name} -->\n`)
  const [inside = ""] = rest.split(`<!-- /${name} -->`)
  return inside
}
