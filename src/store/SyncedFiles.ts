import { NodeFS } from "@electric-sql/pglite/nodefs"
import { Predicate } from "effect"
// The whole module, so that what it gives can be counted.
import fs from "node:fs"

type Options = Parameters<NodeFS["init"]>[1]
type Started = Awaited<ReturnType<NodeFS["init"]>>

/** This build of the engine has its files in another way, so it cannot be given what it lacks. */
const unknownEngine = () => new Error("its files have no operation that could wait for the disk")

/** Waits until what was written to an open file of the engine's is on the disk. */
const sync = (stream: unknown): void => {
  if (!Predicate.hasProperty(stream, "nfd") || !Predicate.isNumber(stream.nfd)) throw unknownEngine()
  fs.fdatasyncSync(stream.nfd)
}

/** Gives the engine's files the operation; a failure is told as its other operations tell theirs. */
const addSync = (files: object): void => {
  if (
    !Predicate.hasProperty(files, "stream_ops") || !Predicate.isObject(files.stream_ops) ||
    !Predicate.hasProperty(files, "tryFSOperation") || !Predicate.isFunction(files.tryFSOperation)
  ) throw unknownEngine()
  const { stream_ops: operations, tryFSOperation: attempt } = files
  operations.fsync = (stream: unknown) => attempt(() => sync(stream))
}

/**
 * The files of an embedded database, which are on the disk when the engine asks for that. The engine's own files
 * take such a request and do nothing. An error of the disk goes to the engine, which gives itself up.
 */
export class SyncedFiles extends NodeFS {
  override async init(pglite: Parameters<NodeFS["init"]>[0], options: Options): Promise<Started> {
    const { emscriptenOpts } = await super.init(pglite, options)
    return {
      emscriptenOpts: {
        ...emscriptenOpts,
        preRun: [...emscriptenOpts.preRun ?? [], ({ NODEFS }) => addSync(NODEFS)],
      },
    }
  }
}
