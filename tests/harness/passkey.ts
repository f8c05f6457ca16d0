import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export type TestPasskey = ReturnType<typeof makePasskey>
type Flags = { isVerified?: boolean }

const userPresent = 0x01
const userVerified = 0x04
const hasCredential = 0x40

/** An authenticator in software: one ES256 key that answers the options of the service as a browser does. */
export function makePasskey(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  let counter = 0
  const authenticatorData = (flags: number, rest = Buffer.alloc(0)) => {
    const rpIdHash = sha256(Buffer.from(new URL(origin).hostname))
    return Buffer.concat([rpIdHash, Buffer.from([flags]), uint(++counter, 4), rest])
  }
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const credential = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' as const }
  return {
    id: credential.id,
    create({ challenge }: { challenge: string }, { isVerified = true }: Flags = {}) {
      const credentialData = Buffer.concat([
        Buffer.alloc(16),
        uint(id.length, 2),
        id,
        coseKey(publicKey.export({ format: 'jwk' })),
      ])
      const flags = userPresent | hasCredential | (isVerified ? userVerified : 0)
      const data = authenticatorData(flags, credentialData)
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        cborText('fmt'),
        cborText('none'),
        cborText('attStmt'),
        Buffer.from([0xa0]),
        cborText('authData'),
        cborBytes(data),
      ])
      const response = {
        clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
      }
      return { ...credential, response }
    },
    get({ challenge }: { challenge: string }, { isVerified = true }: Flags = {}) {
      const client = clientData('webauthn.get', challenge)
      const data = authenticatorData(userPresent | (isVerified ? userVerified : 0))
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      const response = {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      }
      return { ...credential, response }
    },
  }
}

function coseKey({ x = '', y = '' }: { x?: string; y?: string }): Buffer {
  const header = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01])
  const [left, right] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
  return Buffer.concat([header, Buffer.from([0x21]), cborBytes(left), Buffer.from([0x22]), cborBytes(right)])
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])
}

function cborBytes(bytes: Buffer): Buffer {
  const head =
    bytes.length < 256 ? Buffer.from([0x58, bytes.length]) : Buffer.concat([Buffer.from([0x59]), uint(bytes.length, 2)])
  return Buffer.concat([head, bytes])
}

function uint(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntBE(value, 0, bytes)
  return buffer
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
