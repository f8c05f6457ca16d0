import { Button, Group, Modal, Skeleton, Text } from '@mantine/core'
import { useState } from 'react'
import { ConfirmAction } from '../../../components/confirm-action.tsx'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { Section } from '../../../components/page.tsx'
import { RelativeTime } from '../../../components/relative-time.tsx'
import { Label } from '../../../components/status.tsx'
import type { Item } from '../../../data/api.ts'
import { useChange } from '../../../data/changes.ts'
import { useApiList } from '../../../data/lists.ts'
import { type Entity, useApiQuery } from '../../../data/queries.ts'
import { joinWords } from '../../../sentences/parts.ts'
import { DefinitionDiff, diffOf } from '../builder/saving/definition-diff.tsx'
import { definitionOf, type Trigger } from '../model/definition.ts'
import { partWords } from '../model/part-words.ts'
import { readDefinition } from '../model/read-definition.ts'
import classes from './versions.module.css'

type Version = Item<'listTriggerVersions'>
const shownMax = 4

/** Every publish is a version. An earlier one can be compared and published again, as a new version. */
export function Versions({ entity }: { entity: Entity<Trigger> }) {
  const { fullname } = entity.view
  const { items, error, isLoading, reload } = useApiList('listTriggerVersions', { fullname }, { pollMs: 15_000 })
  const [shown, setShown] = useState(shownMax)
  const [compared, setCompared] = useState<number>()
  const newest = items[0]?.number
  return (
    <Section title="Versions">
      <ErrorNotice error={error} retry={reload} />
      {!isLoading && !error && items.length === 0 && (
        <Text c="dimmed">The next publish is the first version that is kept.</Text>
      )}
      <ol className={classes.versions} aria-label="Versions">
        {items.slice(0, shown).map((version) => (
          <li key={version.number} className={classes.version} data-live={version.number === newest}>
            <VersionText version={version} isLive={version.number === newest} />
            {version.number !== newest && (
              <Group gap="xs" mt={4}>
                <Button size="xs" variant="default" onClick={() => setCompared(version.number)}>
                  Compare
                </Button>
                <RollBack version={version} current={entity} />
              </Group>
            )}
          </li>
        ))}
      </ol>
      {items.length > shown && (
        <Button variant="subtle" size="xs" onClick={() => setShown(items.length)}>
          All {items.length} versions
        </Button>
      )}
      <Modal
        opened={compared !== undefined}
        onClose={() => setCompared(undefined)}
        size="xl"
        title={`Version ${compared} and the live version`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {compared !== undefined && <CompareVersions trigger={entity.view} number={compared} />}
      </Modal>
    </Section>
  )
}

function VersionText({ version, isLive }: { version: Version; isLive: boolean }) {
  const { number, changed, restoredFrom, savedBy, savedAt } = version
  return (
    <>
      <Text fw={550}>
        Version {number} {isLive && <Label>Live</Label>}
      </Text>
      <Text size="sm">
        {restoredFrom === undefined ? describeChange(changed, number) : `Rolled back to version ${restoredFrom}`}
      </Text>
      <Text size="sm" c="dimmed">
        {savedBy && `${savedBy.name}, `}
        <RelativeTime at={savedAt} />
      </Text>
    </>
  )
}

function describeChange(changed: readonly string[], number: number): string {
  if (number === 1) return 'First published'
  return changed.length === 0 ? 'Published without a change' : `Changed ${joinWords(partWords(changed))}`
}

/** The service refuses to roll back if somebody published after the page last read the trigger. */
function RollBack({ version: { number }, current }: { version: Version; current: Entity<Trigger> }) {
  const restore = useChange('restoreTriggerVersion', {
    notice: `Version ${number} is published again, as a new version.`,
    refetches: ['projects', 'subscriptions'],
  })
  const ifMatch = current.tag
  return (
    <ConfirmAction
      title={`Roll back to version ${number}?`}
      text="The service publishes this version again, as a new version. Subscriptions use it at once. The versions between stay in the list."
      verb="Roll back"
      isDestructive={false}
      act={() =>
        restore.mutateAsync({
          fullname: current.view.fullname,
          number: String(number),
          ...(ifMatch !== undefined && { ifMatch }),
        })
      }
    >
      {(open) => (
        <Button size="xs" variant="subtle" onClick={open} aria-label={`Roll back to version ${number}`}>
          Roll back…
        </Button>
      )}
    </ConfirmAction>
  )
}

/** What changed from an earlier version to the live one. */
function CompareVersions({ trigger, number }: { trigger: Trigger; number: number }) {
  const { fullname } = trigger
  const { data, error, refetch } = useApiQuery('getTriggerVersion', { fullname, number: String(number) })
  if (error) return <ErrorNotice error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton height={160} />
  const before = readDefinition(data.definition)
  if (!before) return <Text>The console cannot read this version, because a newer service saved it.</Text>
  const lines = diffOf(before, definitionOf(trigger))
  if (lines.every(({ kind }) => kind === 'same')) return <Text>The live version is the same as version {number}.</Text>
  return <DefinitionDiff lines={lines} />
}
