import { Checkbox, Select, Stack, TextInput } from '@mantine/core'
import { type Scope, scopeNames, scopeTable } from '@tocsin/contract'
import { useChange } from '../../data/changes.ts'
import { useMe } from '../../data/session.ts'
import { useWorkspaces } from '../../data/workspace.ts'
import { FormFooter } from '../../forms/form-footer.tsx'
import { KeptFormNotice } from '../../forms/kept-form-notice.tsx'
import { expiryOf, type Lifetime, LifetimeField } from '../../forms/lifetime-field.tsx'
import { useForm } from '../../forms/use-form.ts'

const lifetimes: Lifetime[] = [1, 7, 30, 90, 365, null]

type Values = { name: string; scopes: Scope[]; workspace: string; days: Lifetime }

/** A new token gets the scopes of the caller at most; the others are not offered. */
export function TokenForm({ done }: { done: (secret: string) => void }) {
  const { data: me } = useMe()
  const { items: workspaces } = useWorkspaces()
  const create = useChange('createToken', { after: ({ token }) => done(token) })
  const initial: Values = { name: '', scopes: me?.scopes ?? scopeNames, workspace: '', days: 90 }
  const form = useForm({
    initial,
    check: issuesIn,
    save: (values) => create.mutateAsync({ body: bodyOf(values) }),
    keep: { name: 'token' },
  })
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="sm">
        <KeptFormNotice form={form} />
        <TextInput label="Name" placeholder="deploy pipeline" data-autofocus {...form.text('name')} />
        <Checkbox.Group
          label="Scopes"
          description="What the token may do. Your role in a workspace still applies."
          value={form.values.scopes}
          onChange={(chosen) =>
            form.set(
              'scopes',
              scopeNames.filter((scope) => chosen.includes(scope)),
            )
          }
          error={form.errorOf('scopes')}
        >
          <Stack gap="xs" mt="xs">
            {(me?.scopes ?? scopeNames).map((scope) => (
              <Checkbox key={scope} value={scope} label={scope} description={scopeTable[scope]} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Select
          label="Workspace"
          description="A token for one workspace sees nothing else and cannot change your account."
          data={[
            { value: '', label: 'All your workspaces' },
            ...workspaces.map(({ fullname, meta }) => ({ value: fullname, label: meta.title ?? fullname })),
          ]}
          value={form.values.workspace}
          onChange={(value) => form.set('workspace', value ?? '')}
          allowDeselect={false}
        />
        <LifetimeField offered={lifetimes} value={form.values.days} onChange={(days) => form.set('days', days)} />
        <FormFooter
          failure={form.failure}
          isSaving={form.isSaving}
          verb="Create token"
          shownElsewhere={(path) => path === 'name'}
        />
      </Stack>
    </form>
  )
}

function issuesIn({ name, scopes }: Values) {
  return [
    ...(name.trim() === '' ? [{ path: 'name', message: 'Enter a name' }] : []),
    ...(scopes.length === 0 ? [{ path: 'scopes', message: 'Choose at least one scope' }] : []),
  ]
}

function bodyOf({ name, scopes, workspace, days }: Values) {
  return { name, scopes, ...(workspace !== '' && { workspace }), expiresAt: days === null ? null : expiryOf(days) }
}
