import * as z from 'zod'
import { type KeyRing, makeSecretBox, ringOf, tryOpen } from './secret-box.ts'

/*
 * A rotation is a row of the settings that holds both keys, each sealed with the other one. So a process that knows one
 * of them can read the other. The row exists from the moment before the first value is sealed with the new key until the
 * operator has replaced the old key everywhere.
 */
export const rotationName = 'secret_key_rotation'
/** The key for signatures, sealed. It exists after the first rotation; before it, the only key signs too. */
export const signingName = 'signing_key'

type ReadSettings = (names: readonly string[]) => Promise<ReadonlyMap<string, string>>
export type Rotation = { old: Buffer; next: Buffer }

const Row = z.object({ next: z.base64(), previous: z.base64() })

export function sealRotation({ old, next }: Rotation): string {
  return JSON.stringify({ next: sealKey(next, old), previous: sealKey(old, next) } satisfies z.infer<typeof Row>)
}

/** Undefined if the key is neither the old nor the new one. */
export function openRotation(row: string, key: Buffer): Rotation | undefined {
  const { next, previous } = Row.parse(JSON.parse(row))
  const [asOld, asNew] = [openKey(next, key), openKey(previous, key)]
  if (asOld) return { old: key, next: asOld }
  return asNew && { old: asNew, next: key }
}

/** The keys that a process with this key must use. */
export async function readKeyRing(read: ReadSettings, key: Buffer): Promise<KeyRing> {
  const rows = await read([rotationName, signingName])
  const [row, signing] = [rows.get(rotationName), rows.get(signingName)]
  const rotation = row === undefined ? undefined : openRotation(row, key)
  const ring = rotation ? { ...ringOf(rotation.next), opening: [rotation.next, rotation.old] } : ringOf(key)
  const signingKey = signing === undefined ? undefined : openAny(ring.opening, signing)
  return { ...ring, signing: signingKey ?? key }
}

export function sealKey(key: Buffer, with_: Buffer): string {
  return makeSecretBox(with_).seal(key.toString('hex')).toString('base64')
}

function openKey(sealed: string, key: Buffer): Buffer | undefined {
  const text = tryOpen(key, Buffer.from(sealed, 'base64'))
  return text === undefined ? undefined : Buffer.from(text, 'hex')
}

export function openAny(keys: readonly Buffer[], sealed: string): Buffer | undefined {
  for (const key of keys) {
    const opened = openKey(sealed, key)
    if (opened) return opened
  }
  return undefined
}

/** How often a process looks for a rotation. */
const followMs = 5_000
/** After this time every process that runs knows the new key. */
export const knownAfterMs = 3 * followMs

/** Keeps the ring up to date. Keys that were known stay in it, because values in memory may be sealed with them. */
export async function followKeyRing(
  read: ReadSettings,
  key: Buffer,
  ring: KeyRing,
): Promise<{ stop(): Promise<void> }> {
  const refresh = async () => {
    const { opening, ...rest } = await readKeyRing(read, ring.sealing)
    const earlier = ring.opening.filter((known) => !opening.some((each) => each.equals(known)))
    Object.assign(ring, { ...rest, opening: [...opening, ...earlier] })
  }
  Object.assign(ring, await readKeyRing(read, key))
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    // A store that does not answer is no reason to forget keys; the next look follows.
    running ??= refresh()
      .catch(() => undefined)
      .finally(() => {
        running = undefined
      })
  }, followMs)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
