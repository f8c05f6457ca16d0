import { createHash, randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from './index.ts'
import type { SecretBox } from './secret-box.ts'

/** The key of the secret box: from the environment, else a file in the data folder made at first start. */
export function readSecretKey(secretKey: string | undefined, dataDir: string): Buffer {
  return createHash('sha256')
    .update(secretKey ?? readKeyFile(dataDir))
    .digest()
}

/** Written aside and linked into place, so that two first starts agree on one key and a killed one leaves none half written. */
function readKeyFile(dataDir: string): string {
  const file = join(dataDir, 'secret.key')
  const existing = readIfThere(file)
  if (existing) return existing
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const aside = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(aside, randomBytes(32).toString('hex'), { mode: 0o600, flush: true })
  try {
    linkSync(aside, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(aside)
  }
  return readFileSync(file, 'utf8')
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const checkName = 'secret_key_check'
const checkText = 'tocsin'

/** A wrong key would show only later, as secrets that cannot be opened: refuse to start instead. */
export async function requireRightKey(store: Pick<Store, 'settings'>, box: SecretBox): Promise<void> {
  await store.settings.addOnce(checkName, box.seal(checkText).toString('base64'))
  const kept = await store.settings.find(checkName)
  if (kept === undefined || !canOpen(box, kept))
    throw new Error(
      'The secrets in the store were sealed with another key. Set SECRET_KEY, or put the right secret.key into the data folder.',
    )
}

function canOpen(box: SecretBox, kept: string): boolean {
  try {
    return box.open(Buffer.from(kept, 'base64')) === checkText
  } catch {
    return false
  }
}
