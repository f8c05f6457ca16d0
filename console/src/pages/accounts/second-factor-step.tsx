import { Button, TextInput, type TextInputProps } from '@mantine/core'
import { ApiError } from '@tocsin/sdk'
import { useState } from 'react'
import { useSignedIn } from './use-signed-in.ts'
import { getCredential, hasWebAuthn } from './webauthn.ts'

/** What the service asks for after the first factor was right. */
type Asked = { methods: string[]; passkey?: object }
type Proof = { code?: string; passkey?: Awaited<ReturnType<typeof getCredential>> }

/** The two steps of a sign-in: the same request is sent again with a code or a passkey if the service asks for one. */
export function useSignInSteps() {
  const signedIn = useSignedIn()
  const [asked, setAsked] = useState<Asked>()
  const signIn = async (code: string, request: (proof: Proof) => Promise<unknown>) => {
    const passkey = asked?.passkey && code === '' ? { passkey: await getCredential(asked.passkey) } : {}
    try {
      await request({ ...(code !== '' && { code }), ...passkey })
    } catch (error) {
      const next = askedBy(error)
      if (!next) throw error
      setAsked(next)
      return
    }
    signedIn()
  }
  return {
    signIn,
    takesCode: asked?.methods.some((method) => method !== 'passkey') === true,
    takesPasskey: asked?.passkey !== undefined && hasWebAuthn(),
  }
}

export function CodeField(props: TextInputProps) {
  return (
    <TextInput
      label="Code"
      description="From your authenticator app, or a recovery code"
      autoComplete="one-time-code"
      autoFocus
      {...props}
    />
  )
}

export function UsePasskey({ isSaving, use }: { isSaving: boolean; use: () => void }) {
  return (
    <Button variant="default" fullWidth loading={isSaving} onClick={use}>
      Use a passkey
    </Button>
  )
}

function askedBy(error: unknown): Asked | undefined {
  if (!(error instanceof ApiError) || error.code !== 'second_factor_required') return undefined
  const { methods, passkey } = error.details ?? {}
  return {
    methods: Array.isArray(methods) ? methods.map(String) : [],
    ...(typeof passkey === 'object' && passkey !== null && { passkey }),
  }
}
