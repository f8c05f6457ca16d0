import { List, Text } from '@mantine/core'
import { DiffList } from '../../components/diff-list.tsx'
import { Notice } from '../../components/notice.tsx'
import { Facts } from '../../components/page.tsx'
import type { Body } from '../../data/api.ts'

type Plan = Body<'planTransfer'>
const shownMax = 100

/** A transfer plan as a diff of old and new names. */
export function PlanDiff({ plan }: { plan: Plan }) {
  const { counts, changes, conflicts } = plan
  const moves = [
    { kind: 'project', ...changes.project },
    ...changes.triggers.map((move) => ({ kind: 'trigger', ...move })),
    ...changes.resources.map((move) => ({ kind: 'destination', ...move })),
  ]
  return (
    <>
      {conflicts.length > 0 && (
        <Notice tone="bad" title="The project cannot be moved there">
          <List size="sm">
            {conflicts.map(({ code, message, entity }) => (
              <List.Item key={`${code} ${entity}`}>
                {message} {entity && <code>{entity}</code>}
              </List.Item>
            ))}
          </List>
          <Text size="sm" mt={4}>
            Choose another workspace or another name, then show the plan again.
          </Text>
        </Notice>
      )}
      <Facts
        facts={[
          ['Triggers', counts.triggers],
          ['Templates', counts.templates],
          ['Destinations', counts.resources],
          ['Subscriptions', counts.subscriptions],
          ['Access links', counts.accessLinks],
          ['Aliases', counts.aliases],
        ]}
      />
      <DiffList
        label="Names that change"
        differences={moves.slice(0, shownMax).map(({ kind, from, to }) => ({ title: kind, from, to }))}
      />
      {moves.length > shownMax && <Text c="dimmed">and {moves.length - shownMax} more</Text>}
    </>
  )
}
