import { Button, Stack } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { api, type Body } from '../../data/api.ts'
import { safeNext } from '../../data/session.ts'
import { useForm } from '../../forms/use-form.ts'
import { CodeField, UsePasskey, useSignInSteps } from './second-factor-step.tsx'
import { useSignedIn } from './use-signed-in.ts'
import { hasWallet, type SignedMessage, signMessage } from './wallet.ts'
import { getCredential, hasWebAuthn } from './webauthn.ts'

type Offered = Body<'getSignInMethods'>

/** The ways to sign in without a password. A first sign-in by an identity provider or a wallet creates the account. */
export function OtherSignIns({ offered, verb }: { offered: Offered; verb: 'Sign in' | 'Sign up' }) {
  const { next } = useSearch({ strict: false })
  return (
    <Stack gap="sm">
      {offered.oidc && (
        <Button
          component="a"
          variant="default"
          fullWidth
          href={`/api/auth/oidc?next=${encodeURIComponent(safeNext(next))}`}
        >
          {verb} with your organisation
        </Button>
      )}
      {verb === 'Sign in' && offered.passkeys && hasWebAuthn() && <PasskeyButton />}
      {hasWallet() && <WalletForm verb={verb} />}
    </Stack>
  )
}

function PasskeyButton() {
  const signedIn = useSignedIn()
  const form = useForm({
    initial: {},
    save: async () => {
      const response = await getCredential(await api.createPasskeySignIn({}))
      await api.signInByPasskey({ body: { response } })
      signedIn()
    },
  })
  return (
    <Stack gap="sm">
      <ErrorNotice error={form.failure} />
      <Button variant="default" fullWidth loading={form.isSaving} onClick={() => form.submit()}>
        Sign in with a passkey
      </Button>
    </Stack>
  )
}

/** The second factor is asked for after the wallet has signed; the same signed message is then sent again. */
function WalletForm({ verb }: { verb: string }) {
  const signed = useRef<SignedMessage>(undefined)
  const { signIn, takesCode, takesPasskey } = useSignInSteps()
  const form = useForm({
    initial: { code: '' },
    save: async ({ code }) => {
      const message = signed.current ?? (await signMessage())
      signed.current = message
      await signIn(code, (proof) => api.signInByWallet({ body: { ...message, ...proof } })).catch((error) => {
        // The message may be too old, so the next try signs a new one.
        signed.current = undefined
        throw error
      })
    },
  })
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="sm">
        {takesCode && <CodeField {...form.text('code')} />}
        <ErrorNotice error={form.failure} />
        <Button type="submit" variant="default" fullWidth loading={form.isSaving}>
          {verb} with a wallet
        </Button>
        {takesPasskey && form.values.code === '' && <UsePasskey isSaving={form.isSaving} use={form.submit} />}
      </Stack>
    </form>
  )
}
