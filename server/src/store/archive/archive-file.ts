import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'

/** A file that only its owner can read. It computes the SHA-256 of its content, and `close` syncs it to disk. */
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

  /** Returns the SHA-256. */
  async close(): Promise<string> {
    await this.#handle.sync()
    await this.#handle.close()
    return this.#hash.digest('hex')
  }
}
