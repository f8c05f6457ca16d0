import type { PasskeyAssertion, PasskeyAttestation } from '@tocsin/contract'
import type * as z from 'zod'

/**
 * Passkeys by the browser's own functions. The options come from the service as JSON. The service checks what the browser
 * returns, so the schemas, which would double the first page, are not loaded here.
 */

export function hasWebAuthn(): boolean {
  return typeof PublicKeyCredential !== 'undefined' && 'parseRequestOptionsFromJSON' in PublicKeyCredential
}

export async function createCredential(options: object) {
  // The service makes the options for exactly this function, so their type is not checked again here.
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON)
  return jsonOf<z.input<typeof PasskeyAttestation>>(await navigator.credentials.create({ publicKey }))
}

export async function getCredential(options: object) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON)
  return jsonOf<z.input<typeof PasskeyAssertion>>(await navigator.credentials.get({ publicKey }))
}

function jsonOf<Json>(credential: Credential | null): Json {
  if (!(credential instanceof PublicKeyCredential)) throw new Error('The browser returned no passkey.')
  return credential.toJSON() as Json
}
