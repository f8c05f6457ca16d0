import { Stack, Text, Title } from '@mantine/core'
import { DiffList } from '../../components/diff-list.tsx'
import { Section } from '../../components/page.tsx'
import { Status } from '../../components/status.tsx'
import { type Drift, type Entity, EntityName, isSame, kindLabels } from './entities.tsx'

type DriftSectionProps = { workspace: string; drift: Drift[]; entities: Entity[] }

/** What others changed since the last apply, field by field. */
export function DriftSection({ workspace, drift, entities }: DriftSectionProps) {
  if (drift.length === 0)
    return (
      <Section title="Drift">
        <Status value="ok" label="Every definition is as the last apply wrote it." />
      </Section>
    )
  return (
    <Section
      title="Drift"
      about={
        <>
          Changed since the last apply. <code>tocsin pull</code> writes these changes into the files,{' '}
          <code>tocsin apply</code> takes them back.
        </>
      }
    >
      <Stack gap="lg">
        {drift.map((changed) => (
          <DriftOfEntity
            key={`${changed.kind} ${changed.fullname}`}
            workspace={workspace}
            drift={changed}
            entity={entities.find((entity) => isSame(entity, changed))}
          />
        ))}
      </Stack>
    </Section>
  )
}

type DriftOfEntityProps = { workspace: string; drift: Drift; entity: Entity | undefined }

function DriftOfEntity({ workspace, drift: { kind, fullname, diff }, entity }: DriftOfEntityProps) {
  const name = `${kindLabels[kind]} ${fullname}`
  return (
    <Stack gap="xs" component="section" aria-label={name}>
      <Title order={3}>
        {kindLabels[kind]} {entity ? <EntityName workspace={workspace} entity={entity} /> : fullname}
      </Title>
      {entity ? (
        <DiffList
          label={`Changes of ${fullname}`}
          differences={diff.map(({ path, from, to }) => ({ title: path, from: textOf(from), to: textOf(to) }))}
        />
      ) : (
        <Text size="sm">It was deleted, or taken out of the stack.</Text>
      )}
    </Stack>
  )
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
