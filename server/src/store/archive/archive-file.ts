import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'

type Write = (text: string) => Promise<void>

/**
 * Writes a new file that only its owner can read, syncs it to disk and returns its SHA-256. It closes the file also if
 * `fill` fails.
 */
export async function writeArchiveFile(path: string, fill: (write: Write) => Promise<void>): Promise<string> {
  const handle = await open(path, 'wx', 0o600)
  const hash = createHash('sha256')
  try {
    await fill(async (text) => {
      hash.update(text)
      await handle.writeFile(text)
    })
    await handle.sync()
    return hash.digest('hex')
  } finally {
    await handle.close()
  }
}
