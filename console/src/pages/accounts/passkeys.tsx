import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Section } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { api, type Body, type Item } from '../../data/api.ts'
import { useChange } from '../../data/changes.ts'
import { useApiList } from '../../data/lists.ts'
import { useApiQuery } from '../../data/queries.ts'
import { FormFooter } from '../../forms/form-footer.tsx'
import { useForm } from '../../forms/use-form.ts'
import { RecoveryCodes } from './second-factor.tsx'
import { createCredential, hasWebAuthn } from './webauthn.ts'
import { type OwnerProof, RemoveSignIn, WithProof } from './with-proof.tsx'

type Passkey = Item<'listPasskeys'>
type Security = Body<'getSecurity'>

export function PasskeysSection({ security }: { security: Security }) {
  const { items, error } = useApiList('listPasskeys', {})
  const { data: methods } = useApiQuery('getSignInMethods', {})
  const [codes, setCodes] = useState<string[]>()
  const isOffered = methods?.passkeys === true && hasWebAuthn()
  return (
    <Section
      title="Passkeys"
      about="Sign in with your fingerprint, your face or a security key. With a passkey the password alone no longer signs in."
    >
      <Stack gap="md">
        <ErrorNotice error={error} />
        {codes && <RecoveryCodes codes={codes} />}
        {items.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} security={security} />
        ))}
        {isOffered && <AddPasskey security={security} done={setCodes} />}
        {methods && !isOffered && (
          <Text size="sm">Passkeys are not available: the operator must set PUBLIC_URL to a host name with https.</Text>
        )}
      </Stack>
    </Section>
  )
}

/** The name first, then the proof: the browser shows its own dialog last. */
function AddPasskey({ security, done }: { security: Security; done: (codes: string[] | undefined) => void }) {
  const [name, setName] = useState('')
  const [added, setAdded] = useState(0)
  const create = useChange('createPasskey', {
    notice: 'Passkey added.',
    after: ({ recoveryCodes }) => {
      setAdded(added + 1)
      done(recoveryCodes)
    },
  })
  const add = async (body: OwnerProof) => {
    const response = await createCredential(await api.createPasskeyOptions({ body }))
    await create.mutateAsync({ body: { name, response } })
  }
  return (
    <WithProof
      title={`Add the passkey ${name}?`}
      text="With it you sign in without your password."
      verb="Add passkey"
      security={security}
      isDestructive={false}
      act={add}
    >
      {(open) => (
        <PasskeyName
          key={added}
          named={(name) => {
            setName(name)
            open()
          }}
        />
      )}
    </WithProof>
  )
}

function PasskeyName({ named }: { named: (name: string) => void }) {
  const form = useForm({
    initial: { name: '' },
    check: ({ name }) => (name.trim() === '' ? [{ path: 'name', message: 'Enter a name' }] : []),
    save: async ({ name }) => named(name),
  })
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="sm">
        <TextInput label="Name of the passkey" placeholder="Work laptop" {...form.text('name')} />
        <FormFooter
          failure={form.failure}
          isSaving={form.isSaving}
          verb="Add passkey"
          shownElsewhere={(path) => path === 'name'}
        />
      </Stack>
    </form>
  )
}

function PasskeyRow({ passkey, security }: { passkey: Passkey; security: Security }) {
  const { id, name, createdAt, lastUsedAt } = passkey
  const remove = useChange('deletePasskey', { notice: `Passkey ${name} removed.` })
  return (
    <Group justify="space-between" align="flex-start" gap="sm">
      <div>
        <Text size="sm">{name}</Text>
        <Text size="sm" c="dimmed" component="div">
          Added <RelativeTime at={createdAt} />
          {lastUsedAt && (
            <>
              , last used <RelativeTime at={lastUsedAt} />
            </>
          )}
        </Text>
      </div>
      <Group gap="xs">
        <RenamePasskey passkey={passkey} />
        <RemoveSignIn
          name={name}
          title={`Remove ${name}?`}
          text="This passkey no longer signs you in."
          verb="Remove passkey"
          security={security}
          act={(body) => remove.mutateAsync({ id, body })}
        />
      </Group>
    </Group>
  )
}

function RenamePasskey({ passkey: { id, name } }: { passkey: Passkey }) {
  const [isOpen, setOpen] = useState(false)
  const rename = useChange('savePasskey', { notice: 'Passkey renamed.', after: () => setOpen(false) })
  const form = useForm({ initial: { name }, save: (body) => rename.mutateAsync({ id, body }) })
  if (!isOpen)
    return (
      <Button size="xs" variant="default" onClick={() => setOpen(true)} aria-label={`Rename ${name}`}>
        Rename
      </Button>
    )
  return (
    <form onSubmit={form.submit} noValidate>
      <Group gap="xs" align="flex-end">
        <TextInput size="xs" label="New name" {...form.text('name')} />
        <Button size="xs" type="submit" loading={form.isSaving}>
          Save
        </Button>
      </Group>
    </form>
  )
}
