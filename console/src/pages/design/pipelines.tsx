import { IconFilter, IconMessage, IconProject, IconResource, IconSource } from '../../components/icons.tsx'
import { Section } from '../../components/page.tsx'
import { Pipeline, type Stage } from '../../components/patterns/pipeline.tsx'

const stages: Stage[] = [
  { name: 'Source', icon: IconSource, state: 'passed', durationMs: 4, value: 'Transfer event', about: 'Ethereum' },
  { name: 'Condition', icon: IconFilter, state: 'passed', durationMs: 1, value: '2,450,000 USDC', about: 'Passed' },
  { name: 'Data', icon: IconProject, state: 'error', durationMs: 1006, value: 'Price', about: 'Timed out after 1 s' },
  { name: 'Message', icon: IconMessage, state: 'idle', value: '“2,450,000 USDC moved”' },
  { name: 'Destinations', icon: IconResource, state: 'firing', value: '2 delivered', about: 'Ops webhook: HTTP 500' },
]

export function Pipelines() {
  return (
    <Section title="Pipeline">
      <Pipeline stages={stages} />
    </Section>
  )
}
