import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const reasons: Record<string, string> = {
  EROFS: 'it is on a read-only file system',
  EACCES: 'the user that runs the service may not write there',
  EPERM: 'the user that runs the service may not write there',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'there is a file of this name',
}

/** Runs work that writes into the data folder. When the folder causes a failure, the error says why and what to do. */
export function writingDataFolder<T>(dataDir: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? reasons[String(cause.code)] : undefined
    if (reason === undefined) throw cause
    throw new Error(
      `The data folder ${dataDir} cannot be written: ${reason}. Repair that, or set DATA_DIR to another folder.`,
      { cause },
    )
  }
}

/** Writes a temporary file, syncs and renames it. After a crash or power cut the file has the old or the new content. */
export function writePrivateFile(path: string, content: string): void {
  const temporary = `${path}.new`
  const file = openSync(temporary, 'w', 0o600)
  try {
    writeFileSync(file, content)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
  syncFolder(dirname(path))
}

export function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Makes a rename inside the folder durable. Windows cannot open a folder and does not need it. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
