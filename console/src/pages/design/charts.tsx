import { HistoryChart } from '../../charts/history-chart.tsx'
import { Sparkline } from '../../charts/sparkline.tsx'
import { Section } from '../../components/page.tsx'
import classes from './design.module.css'

const counts = [31, 27, 22, 19, 24, 33, 46, 58, 71, 83, 92, 88, 74, 69, 78, 85, 81, 66, 54, 47, 41, 38, 24, 4]
const failed = (at: number) => (at >= 22 ? 8 : 0)

export function Charts() {
  return (
    <>
      <Section title="Bar chart">
        <HistoryChart
          label="The last 24 hours: 1,255 alerts, 16 deliveries failed"
          names={{ good: 'Alerts', failed: 'Failed deliveries' }}
          bars={counts.map((good, at) => ({
            label: `${String(at).padStart(2, '0')}:00`,
            good,
            failed: failed(at),
            isOpen: at === 23,
          }))}
          labelled={(at) => at % 6 === 0}
        />
      </Section>
      <Section title="Sparkline">
        <p className={classes.line}>
          <Sparkline values={[3, 5, 2, 6, 4, 7, 3]} /> Live, 4 s old
          <Sparkline values={[1, 1, 2, 1, 6, 9, 12]} isFiring /> 38 s behind
          <Sparkline values={[]} /> Idle
        </p>
      </Section>
    </>
  )
}
