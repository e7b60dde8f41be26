/*
 * Where the text of a setting comes from. This is read before anything else is known, to find out which files a process
 * needs, so it imports nothing.
 */

/** Variables by their names, as the environment has them. */
export type Variables = Readonly<Record<string, string | undefined>>

/** What keeps a setting from being read: a sentence that repeats no value, as it may be a secret. */
export class SettingFault {
  constructor(readonly sentence: string) {}
}

/** The variable with the path of the file that holds a setting's value. */
export const fileVariable = (name: string): string => `${name}_FILE`

/** The bytes that a setting's file may have: those of many keys. */
const most = 64 * 1024

/** Settings that are paths by themselves have no file with a path. */
const isPath = (name: string): boolean => /_(?:FILE|DIRECTORY)$/.test(name)

/** A variable's text; an empty one counts as unset. */
const set = (text: string | undefined): string | undefined => text?.trim() === "" ? undefined : text

const contentOf = (path: string): Uint8Array<ArrayBuffer> => {
  using file = Deno.openSync(path)
  const bytes = new Uint8Array(most + 1)
  let length = 0
  while (length < bytes.length) {
    const count = file.readSync(bytes.subarray(length))
    if (count === null) break
    length += count
  }
  return bytes.subarray(0, length)
}

const missing = "it is not there"
const empty = "it is empty"

/** Why a file cannot be read, by the error's class or code: its message would repeat the path. */
const reasonOf = (error: unknown): string => {
  if (error instanceof Deno.errors.NotFound) return missing
  if (error instanceof Deno.errors.IsADirectory) return "it is a folder"
  if (error instanceof Deno.errors.PermissionDenied || error instanceof Deno.errors.NotCapable) {
    return "this process may not read it"
  }
  const code = error instanceof Error && "code" in error ? ` (${error.code})` : ""
  return `it cannot be read${code}`
}

/** The value in a file, without the end of its last line. */
const valueIn = (path: string): string | SettingFault => {
  try {
    const bytes = contentOf(path)
    if (bytes.length > most) return new SettingFault(`it is larger than ${most / 1024} KiB`)
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes).replace(/\r?\n$/, "")
    return set(text) ?? new SettingFault(empty)
  } catch (error) {
    return new SettingFault(error instanceof TypeError ? "it is not text in UTF-8" : reasonOf(error))
  }
}

const inFile = (name: string, path: string): string | SettingFault => {
  const value = valueIn(path)
  return value instanceof SettingFault
    ? new SettingFault(`${fileVariable(name)} must be the path of a file with the value: ${value.sentence}`)
    : value
}

const inFolder = (name: string, folder: string): string | SettingFault | undefined => {
  const value = valueIn(`${folder}/${name}`)
  if (!(value instanceof SettingFault)) return value
  return value.sentence === missing || value.sentence === empty
    ? undefined
    : new SettingFault(`${name} cannot be read in CREDENTIALS_DIRECTORY: ${value.sentence}`)
}

/** A setting's text: from its variable, the file in `NAME_FILE`, or its file in `CREDENTIALS_DIRECTORY`; else undefined. */
export const given = (name: string, variables: Variables): string | SettingFault | undefined => {
  const text = set(variables[name])
  const path = set(variables[fileVariable(name)])
  if (path !== undefined && isPath(name)) {
    return new SettingFault(`${fileVariable(name)} is no setting, as ${name} is a path itself: unset it`)
  }
  if (path !== undefined && text !== undefined) {
    return new SettingFault(`${name} and ${fileVariable(name)} are both set: unset one of them`)
  }
  if (path !== undefined) return inFile(name, path)
  const folder = set(variables["CREDENTIALS_DIRECTORY"])
  return text ?? (folder === undefined ? undefined : inFolder(name, folder))
}
