import { PasskeyAssertion, PasskeyAttestation } from '@tocsin/contract'

/** Passkeys by the browser's own functions. The options come from the service as JSON. */

export function hasWebAuthn(): boolean {
  return typeof PublicKeyCredential !== 'undefined' && 'parseRequestOptionsFromJSON' in PublicKeyCredential
}

export async function createCredential(options: object) {
  // The service makes the options for exactly this function, so their type is not checked again here.
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON)
  return PasskeyAttestation.parse(jsonOf(await navigator.credentials.create({ publicKey })))
}

export async function getCredential(options: object) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON)
  return PasskeyAssertion.parse(jsonOf(await navigator.credentials.get({ publicKey })))
}

function jsonOf(credential: Credential | null): unknown {
  if (!(credential instanceof PublicKeyCredential)) throw new Error('The browser returned no passkey.')
  return credential.toJSON()
}
