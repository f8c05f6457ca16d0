import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { DangerButton } from '../../components/confirm-action.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Notice } from '../../components/notice.tsx'
import { Section } from '../../components/page.tsx'
import type { Body } from '../../data/api.ts'
import { useChange } from '../../data/changes.ts'
import { FormFooter } from '../../forms/form-footer.tsx'
import { useForm } from '../../forms/use-form.ts'
import { QrCode } from '../../layouts/destination/qr-code.tsx'
import { WithProof } from './with-proof.tsx'

type Security = Body<'getSecurity'>

export function SecondFactorSection({ security }: { security: Security }) {
  const [codes, setCodes] = useState<string[]>()
  return (
    <Section
      title="Authenticator app"
      about="At sign-in you also enter a code from an app on your phone. A stolen password is then not enough."
    >
      <Stack gap="md">
        {codes && <RecoveryCodes codes={codes} />}
        {security.totp ? (
          <Remove security={security} removed={() => setCodes(undefined)} />
        ) : (
          <Setup security={security} done={setCodes} />
        )}
        {(security.totp || security.passkeys > 0) && <NewCodes security={security} done={setCodes} />}
      </Stack>
    </Section>
  )
}

function Setup({ security, done }: { security: Security; done: (codes: string[]) => void }) {
  const start = useChange('createTotp')
  if (start.data) return <Confirm totp={start.data} done={done} />
  return (
    <WithProof
      title="Set up an authenticator app?"
      text="From then on sign-in also asks for a code of the app."
      verb="Set up app"
      security={security}
      isDestructive={false}
      act={(body) => start.mutateAsync({ body })}
    >
      {(open) => (
        <div>
          <Button variant="default" onClick={open}>
            Set up authenticator app
          </Button>
        </div>
      )}
    </WithProof>
  )
}

function Confirm({ totp, done }: { totp: Body<'createTotp'>; done: (codes: string[]) => void }) {
  const confirm = useChange('confirmTotp', {
    notice: 'Authenticator app set up.',
    after: ({ recoveryCodes }) => done(recoveryCodes),
  })
  const form = useForm({
    initial: { code: '' },
    check: ({ code }) => (code.trim() === '' ? [{ path: 'code', message: 'Enter the code of the app' }] : []),
    save: (body) => confirm.mutateAsync({ body }),
  })
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="sm">
        <Text size="sm">Scan this code with the app, or type the key. Then enter the code that the app shows.</Text>
        <QrCode text={totp.uri} label="QR code for the authenticator app" />
        <Group gap="xs">
          <code>{totp.secret}</code>
          <CopyButton value={totp.secret} what="key" />
        </Group>
        <TextInput label="Code" inputMode="numeric" autoComplete="one-time-code" {...form.text('code')} />
        <FormFooter
          failure={form.failure}
          isSaving={form.isSaving}
          verb="Confirm"
          shownElsewhere={(path) => path === 'code'}
        />
      </Stack>
    </form>
  )
}

function Remove({ security, removed }: { security: Security; removed: () => void }) {
  const remove = useChange('deleteTotp', { notice: 'Authenticator app removed.', after: removed })
  return (
    <WithProof
      title="Remove the authenticator app?"
      text="Sign-in no longer asks for its codes."
      verb="Remove app"
      security={security}
      act={(body) => remove.mutateAsync({ body })}
    >
      {(open) => (
        <Group gap="sm">
          <Text size="sm">An authenticator app is set up.</Text>
          <DangerButton size="xs" onClick={open}>
            Remove app
          </DangerButton>
        </Group>
      )}
    </WithProof>
  )
}

function NewCodes({ security, done }: { security: Security; done: (codes: string[]) => void }) {
  const create = useChange('createRecoveryCodes', { after: ({ recoveryCodes }) => done(recoveryCodes) })
  return (
    <WithProof
      title="Replace the recovery codes?"
      text="The codes that you have now stop working."
      verb="Replace codes"
      security={security}
      isDestructive={false}
      act={(body) => create.mutateAsync({ body })}
    >
      {(open) => (
        <Group gap="sm">
          <Text size="sm">{security.recoveryCodes} recovery codes left.</Text>
          <Button size="xs" variant="default" onClick={open}>
            Replace codes
          </Button>
        </Group>
      )}
    </WithProof>
  )
}

/** Shows new recovery codes. The service does not show them again. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
  return (
    <Notice tone="secret" title="Save your recovery codes now">
      <Stack gap="xs">
        <Text size="sm">They are shown only once. Each signs you in once if you lose your device.</Text>
        <Text component="pre" ff="monospace" size="sm" m={0}>
          {codes.join('\n')}
        </Text>
        <div>
          <CopyButton value={codes.join('\n')} what="recovery codes" isWide />
        </div>
      </Stack>
    </Notice>
  )
}
