import type { PasskeyAssertion, PasskeyAttestation } from '@tocsin/contract'
import type * as z from 'zod'

/**
 * Passkeys by the browser's own functions. The options come from the service as JSON. The service checks what the browser
 * returns, so the schemas, which would double the first page, are not loaded here.
 */

export function hasWebAuthn(): boolean {
  return typeof PublicKeyCredential !== 'undefined' && 'parseRequestOptionsFromJSON' in PublicKeyCredential
}

export async function createCredential(options: object): Promise<z.input<typeof PasskeyAttestation>> {
  if (!isForCreation(options)) throw new Error('The service sent no options for a passkey.')
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const { id, rawId, response } = jsonOf(await navigator.credentials.create({ publicKey }))
  if (!('attestationObject' in response)) throw noPasskey()
  return { id, rawId, type: 'public-key', response }
}

export async function getCredential(options: object): Promise<z.input<typeof PasskeyAssertion>> {
  if (!isForRequest(options)) throw new Error('The service sent no options for a passkey.')
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const { id, rawId, response } = jsonOf(await navigator.credentials.get({ publicKey }))
  if (!('signature' in response)) throw noPasskey()
  return { id, rawId, type: 'public-key', response }
}

function isForCreation(options: object): options is PublicKeyCredentialCreationOptionsJSON {
  return ['challenge', 'rp', 'user', 'pubKeyCredParams'].every((name) => name in options)
}

function isForRequest(options: object): options is PublicKeyCredentialRequestOptionsJSON {
  return 'challenge' in options
}

function jsonOf(credential: Credential | null) {
  if (!(credential instanceof PublicKeyCredential)) throw noPasskey()
  return credential.toJSON()
}

function noPasskey(): Error {
  return new Error('The browser returned no passkey.')
}
