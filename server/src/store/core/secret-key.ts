import { createHash, randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Store } from '../index.ts'
import { writingDataFolder } from './data-folder.ts'
import type { SecretBox } from './secret-box.ts'

/**
 * The key of the secret box: from the environment, else a file in the data folder. Only a store without secrets gets a new file:
 * beside a store that holds some, a new key would open none of them and would hide that the right one is lost.
 */
export async function readSecretKey(
  secretKey: string | undefined,
  dataDir: string,
  databaseUrl: string,
): Promise<Buffer> {
  return findSecretKey(secretKey, dataDir) ?? keyOf(await makeKeyFile(dataDir, databaseUrl))
}

/** The key, where there is one already. */
export function findSecretKey(secretKey: string | undefined, dataDir: string): Buffer | undefined {
  const text = secretKey ?? readKeyFile(dataDir)
  return text === undefined ? undefined : keyOf(text)
}

function keyOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function readKeyFile(dataDir: string): string | undefined {
  const text = readIfThere(keyFileIn(dataDir))
  if (text?.trim() === '') throw new Error(`The key file ${keyFileIn(dataDir)} is empty. ${howToBringTheKey}`)
  return text
}

async function makeKeyFile(dataDir: string, databaseUrl: string): Promise<string> {
  if (await holdsSecrets(databaseUrl))
    throw new Error(
      `The key file ${keyFileIn(dataDir)} is missing, but the store holds secrets that were sealed with it. ${howToBringTheKey}`,
    )
  return writingDataFolder(dataDir, () => linkNewKey(dataDir))
}

/** Written aside and linked into place, so that two first starts agree on one key and a killed one leaves none half written. */
function linkNewKey(dataDir: string): string {
  const file = keyFileIn(dataDir)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const aside = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  try {
    writeFileSync(aside, randomBytes(32).toString('hex'), { mode: 0o600, flush: true })
    linkSync(aside, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(aside, { force: true })
  }
  return readFileSync(file, 'utf8')
}

async function holdsSecrets(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return (await client.query('select 1 from settings where key = $1', [checkName])).rowCount === 1
  } finally {
    await client.end()
  }
}

function keyFileIn(dataDir: string): string {
  return join(dataDir, 'secret.key')
}

const howToBringTheKey = 'Put the right secret.key back into the data folder, or set SECRET_KEY.'

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
    throw new Error(`The secrets in the store were sealed with another key. ${howToBringTheKey}`)
}

function canOpen(box: SecretBox, kept: string): boolean {
  try {
    return box.open(Buffer.from(kept, 'base64')) === checkText
  } catch {
    return false
  }
}
