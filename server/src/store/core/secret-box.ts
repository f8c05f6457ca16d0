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

export function makeSecretBox(key: Buffer): SecretBox {
  const seal = (text: string) => {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, nonce)
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
  }
  const open = (sealed: Buffer) => {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
    decipher.setAuthTag(sealed.subarray(12, 28))
    return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
  }
  return {
    seal,
    open,
    sealJson: (value) => seal(JSON.stringify(value)),
    openJson: (sealed) => JSON.parse(open(sealed)),
    sign: (purpose, text) => {
      const purposeKey = Buffer.from(hkdfSync('sha256', key, '', `tocsin ${purpose}`, 32))
      return createHmac('sha256', purposeKey).update(text).digest('base64url')
    },
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

export type TokenKind = 'session' | 'personal' | 'invite' | 'link' | 'resource' | 'setup' | 'reset' | 'visit'
