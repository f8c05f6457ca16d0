import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** Seals secrets at rest with AES-256-GCM: nonce (12), tag (16), ciphertext. */
export type SecretBox = {
  seal(text: string): Buffer
  open(sealed: Buffer): string
  sealJson(value: unknown): Buffer
  openJson<T>(sealed: Buffer): T
  /** Proves that this service made a text. A signature for one purpose is not valid for another. */
  sign(purpose: string, text: string): string
}

/** While the key is rotated, values sealed with the old key and with the new one exist side by side. */
export type KeyRing = {
  sealing: Buffer
  /** The keys that may have sealed a value, the likely one first. */
  opening: readonly Buffer[]
  /** Never changes, so that links in messages that were sent long ago stay valid. */
  signing: Buffer
}

export function ringOf(key: Buffer): KeyRing {
  return { sealing: key, opening: [key], signing: key }
}

/** The box always uses the current keys of the ring. */
export function makeSecretBox(keys: Buffer | KeyRing): SecretBox {
  const ring = Buffer.isBuffer(keys) ? ringOf(keys) : keys
  const seal = (text: string) => {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', ring.sealing, nonce)
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
  }
  const open = (sealed: Buffer) => {
    for (const key of ring.opening.slice(0, -1)) {
      const text = tryOpen(key, sealed)
      if (text !== undefined) return text
    }
    return openWith(ring.opening.at(-1) ?? ring.sealing, sealed)
  }
  return {
    seal,
    open,
    sealJson: (value) => seal(JSON.stringify(value)),
    openJson: (sealed) => JSON.parse(open(sealed)),
    sign: (purpose, text) => {
      const purposeKey = Buffer.from(hkdfSync('sha256', ring.signing, '', `tocsin ${purpose}`, 32))
      return createHmac('sha256', purposeKey).update(text).digest('base64url')
    },
  }
}

function openWith(key: Buffer, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
  decipher.setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
}

/** Undefined if the value was sealed with another key, or not at all. */
export function tryOpen(key: Buffer, sealed: Buffer): string | undefined {
  try {
    return openWith(key, sealed)
  } catch {
    return undefined
  }
}

/** Tokens are long and random, so one SHA-256 is enough to look them up without storing them. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** 256 random bits after a prefix that secret scanners can recognise. */
export function newToken(kind: TokenKind): string {
  return `tcn_${kind}_${randomBytes(32).toString('base64url')}`
}

export type TokenKind = 'session' | 'personal' | 'invite' | 'link' | 'resource' | 'setup' | 'reset' | 'email' | 'visit'
