import { Button, type ButtonProps, Code, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ReactNode, useMemo } from 'react'
import { ConfirmAction, DangerButton } from '../../components/confirm-action.tsx'
import { Section } from '../../components/page.tsx'
import { changedColumn } from '../../components/table/changed-column.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import type { Column } from '../../components/table/table-model.ts'
import type { Item } from '../../data/api.ts'
import { useChange } from '../../data/changes.ts'
import { useApiList } from '../../data/lists.ts'
import { FormFooter } from '../../forms/form-footer.tsx'
import { useForm } from '../../forms/use-form.ts'

type Secret = Item<'listProjectSecrets'>

/** Secrets for the providers of this project. The API never returns a value. */
export function SecretsSection({ fullname }: { fullname: string }) {
  const list = useApiList('listProjectSecrets', { fullname })
  const columns = useMemo(() => columnsFor(fullname), [fullname])
  return (
    <Section
      title="Secrets"
      about={
        <>
          API keys for providers. Write <Code>{'{{secrets.name}}'}</Code> in the URL, a header or the body of a
          provider. Nobody can read a value after it is saved.
        </>
      }
      actions={
        <SecretButton fullname={fullname} variant="default">
          Add secret
        </SecretButton>
      }
    >
      <DataTable
        label="Secrets"
        list={list}
        columns={columns}
        rowKey={({ name }) => name}
        empty={<Text c="dimmed">No secrets yet.</Text>}
      />
    </Section>
  )
}

function columnsFor(fullname: string): Column<Secret>[] {
  return [
    {
      key: 'name',
      header: 'Name',
      value: ({ name }) => name,
      cell: ({ name }) => <Code>{name}</Code>,
    },
    changedColumn,
    {
      key: 'actions',
      header: 'Actions',
      value: () => '',
      isActions: true,
      cell: ({ name }) => <Actions fullname={fullname} name={name} />,
    },
  ]
}

function Actions({ fullname, name }: { fullname: string; name: string }) {
  const remove = useChange('deleteProjectSecret', { notice: `Secret ${name} deleted.` })
  return (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
      <SecretButton fullname={fullname} name={name} size="xs" variant="default">
        Replace
      </SecretButton>
      <ConfirmAction
        title={`Delete secret ${name}?`}
        text="Providers that use it will fail."
        verb="Delete secret"
        act={() => remove.mutateAsync({ fullname, name })}
      >
        {(open) => (
          <DangerButton size="xs" onClick={open} aria-label={`Delete ${name}`}>
            Delete
          </DangerButton>
        )}
      </ConfirmAction>
    </Group>
  )
}

type SecretButtonProps = Pick<ButtonProps, 'size' | 'variant'> & {
  fullname: string
  /** The secret to replace. Without it, the form creates a new one. */
  name?: string
  children: ReactNode
}

/** Opens the form that sets a secret. */
function SecretButton({ fullname, name, children, ...buttonProps }: SecretButtonProps) {
  const [isOpen, { open, close }] = useDisclosure(false)
  const title = name === undefined ? 'Add secret' : `Replace secret ${name}`
  const label = name === undefined ? {} : { 'aria-label': `Replace ${name}` }
  return (
    <>
      <Button {...buttonProps} {...label} onClick={open}>
        {children}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
        <SecretForm fullname={fullname} {...(name !== undefined && { name })} close={close} />
      </Modal>
    </>
  )
}

function SecretForm({ fullname, name, close }: { fullname: string; name?: string; close: () => void }) {
  const save = useChange('saveProjectSecret', {
    notice: (secret) => `Secret ${secret.name} saved.`,
    after: close,
  })
  const form = useForm({
    initial: { name: name ?? '', value: '' },
    check: (values) => [
      ...(values.name === '' ? [{ path: 'name', message: 'Enter a name' }] : []),
      ...(values.value === '' ? [{ path: 'value', message: 'Enter a value' }] : []),
    ],
    save: ({ name, value }) => save.mutateAsync({ fullname, name, body: { value } }),
  })
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="sm">
        {name === undefined && (
          <TextInput
            label="Name"
            description="Letters, digits, _ and -"
            placeholder="apiKey"
            autoComplete="off"
            data-autofocus
            {...form.text('name')}
          />
        )}
        <PasswordInput
          label="Value"
          autoComplete="off"
          {...form.text('value')}
          visibilityToggleButtonProps={{ 'aria-label': 'Show value' }}
        />
        <FormFooter
          failure={form.failure}
          isSaving={form.isSaving}
          verb="Save secret"
          shownElsewhere={(path) => /name|value/.test(path)}
        />
      </Stack>
    </form>
  )
}
