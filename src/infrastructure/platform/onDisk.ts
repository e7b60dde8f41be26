/*
 * The operating system keeps written data and writes it to the disk later: a power cut loses the data that is not there
 * yet. These functions wait for the disk.
 */

/** Windows opens no folder as a file, and writes names to the disk by itself. */
const foldersCanBeSynced = Deno.build.os !== "windows"

/** Waits until the content of a file is on the disk. */
export const syncFile = async (path: string): Promise<void> => {
  using file = await Deno.open(path, { read: true, write: true })
  await file.sync()
}

/** Waits until the names in a folder are on the disk: the files created, renamed or removed there. */
export const syncFolder = async (path: string): Promise<void> => {
  if (!foldersCanBeSynced) return
  using folder = await Deno.open(path)
  await folder.sync()
}

/** Waits until everything in a folder and below is on the disk, names and contents, except the folder's own name. */
export const syncTree = async (path: string): Promise<void> => {
  const entries = await Array.fromAsync(Deno.readDir(path))
  // Together, as a disk takes many files in one turn.
  await Promise.all(entries.map(async ({ isDirectory, isFile, name }) => {
    if (isDirectory) await syncTree(`${path}/${name}`)
    if (isFile) await syncFile(`${path}/${name}`)
  }))
  await syncFolder(path)
}
