import { createHash, randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { connectionOptions } from './connection-options.ts'
import { syncFolder, writingDataFolder } from './data-folder.ts'
import type { SecretBox } from './secret-box.ts'
import type { settingsTable } from './settings.ts'

/**
 * Reads the key of the secret box from the environment, else from a file in the data folder. A new key file is made only
 * for a store without secrets: a new key could not open existing secrets, and it would hide that the right key is lost.
 */
export async function readSecretKey(
  secretKey: string | undefined,
  dataDir: string,
  databaseUrl: string,
): Promise<Buffer> {
  return findSecretKey(secretKey, dataDir) ?? keyOf(await makeKeyFile(dataDir, databaseUrl))
}

/** The key, if it exists. */
export function findSecretKey(secretKey: string | undefined, dataDir: string): Buffer | undefined {
  const text = secretKey ?? readKeyFile(dataDir)
  return text === undefined ? undefined : keyOf(text)
}

export function keyOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function readKeyFile(dataDir: string): string | undefined {
  const text = readIfExists(keyFileIn(dataDir))
  if (text?.trim() === '') throw new Error(`The key file ${keyFileIn(dataDir)} is empty. ${howToRestoreTheKey}`)
  return text
}

async function makeKeyFile(dataDir: string, databaseUrl: string): Promise<string> {
  if (await holdsSecrets(databaseUrl))
    throw new Error(
      `The key file ${keyFileIn(dataDir)} is missing, but the store holds secrets that were sealed with it. ${howToRestoreTheKey}`,
    )
  return writingDataFolder(dataDir, () => {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    return linkNewKey(keyFileIn(dataDir))
  })
}

/** Writes a temporary file and links it into place: two first starts agree on one key, and a killed one leaves no partial file. */
function linkNewKey(file: string): string {
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  try {
    writeFileSync(temporary, randomBytes(32).toString('hex'), { mode: 0o600, flush: true })
    linkSync(temporary, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(temporary, { force: true })
  }
  return readFileSync(file, 'utf8')
}

async function holdsSecrets(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client(connectionOptions(databaseUrl))
  await client.connect()
  try {
    return (await client.query('select 1 from settings where key = $1', [checkName])).rowCount === 1
  } finally {
    await client.end()
  }
}

/**
 * The key that replaces the one in the key file. It is written to disk before anything is sealed with it, and a second call
 * returns the same key until `replaceKeyFile`.
 */
export function prepareNextKey(dataDir: string): Buffer {
  const file = nextKeyFileIn(dataDir)
  linkNewKey(file)
  return keyOf(readFileSync(file, 'utf8'))
}

/** Undefined if no next key was prepared. */
export function findNextKey(dataDir: string): Buffer | undefined {
  const text = readIfExists(nextKeyFileIn(dataDir))
  return text === undefined ? undefined : keyOf(text)
}

export function replaceKeyFile(dataDir: string): void {
  renameSync(nextKeyFileIn(dataDir), keyFileIn(dataDir))
  syncFolder(dataDir)
}

function nextKeyFileIn(dataDir: string): string {
  return join(dataDir, 'secret.key.next')
}

function keyFileIn(dataDir: string): string {
  return join(dataDir, 'secret.key')
}

const howToRestoreTheKey = 'Put the right secret.key back into the data folder, or set SECRET_KEY.'

function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** A known text, sealed with the key of the store. */
export const checkName = 'secret_key_check'
export const checkText = 'tocsin'

/** Refuses to start with a wrong key, because otherwise the error would appear only when a secret is opened. */
export async function requireRightKey(
  store: { settings: ReturnType<typeof settingsTable> },
  box: SecretBox,
): Promise<void> {
  await store.settings.addOnce(checkName, box.seal(checkText).toString('base64'))
  const kept = await store.settings.find(checkName)
  if (kept === undefined || !canOpen(box, kept))
    throw new Error(`The secrets in the store were sealed with another key. ${howToRestoreTheKey}`)
}

function canOpen(box: SecretBox, kept: string): boolean {
  try {
    return box.open(Buffer.from(kept, 'base64')) === checkText
  } catch {
    return false
  }
}
