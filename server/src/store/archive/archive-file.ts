import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'

/** A file for the owner alone that knows the sum of what was written to it, and is on the disk once it is closed. */
export class ArchiveFile {
  readonly #handle: FileHandle
  readonly #hash = createHash('sha256')

  private constructor(handle: FileHandle) {
    this.#handle = handle
  }

  static async create(path: string): Promise<ArchiveFile> {
    return new ArchiveFile(await open(path, 'wx', 0o600))
  }

  async write(text: string): Promise<void> {
    this.#hash.update(text)
    await this.#handle.writeFile(text)
  }

  /** Answers the sum. */
  async close(): Promise<string> {
    await this.#handle.sync()
    await this.#handle.close()
    return this.#hash.digest('hex')
  }
}
