import { Text } from '@mantine/core'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Section } from '../../components/page.tsx'
import { NameCell } from '../../components/patterns/name-cell.tsx'
import { useApiList } from '../../data/lists.ts'
import { useSources } from '../../layouts/address/use-sources.ts'
import { dataSourceOf, TriggerSentence } from '../../layouts/sentence/trigger-sentence.tsx'
import { NetworkGlyph } from '../../layouts/watch/network-glyph.tsx'
import classes from './public-triggers.module.css'

/** The triggers of a project: network, title, what it is for, and its rule as a sentence. */
export function PublicTriggers({ project }: { project: string }) {
  const { items, error, isLoading, reload } = useApiList('listTriggers', { query: { project } })
  const sources = useSources()
  return (
    <Section title="Triggers">
      <ErrorNotice error={error} retry={reload} />
      {!isLoading && !error && items.length === 0 && <Text>This project has no triggers yet.</Text>}
      <ul className={classes.rows} aria-label="Triggers">
        {items.map((trigger) => (
          <li key={trigger.fullname}>
            <NameCell
              fullname={trigger.fullname}
              glyph={<NetworkGlyph source={sources.find(dataSourceOf(trigger))} title={trigger.meta.title} />}
              name={<strong>{trigger.meta.title}</strong>}
              about={
                <>
                  {trigger.meta.description}
                  <TriggerSentence trigger={trigger} isRow />
                </>
              }
            />
          </li>
        ))}
      </ul>
    </Section>
  )
}
