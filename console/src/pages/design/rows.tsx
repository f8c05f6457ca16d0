import { Section } from '../../components/page.tsx'
import { ChannelGlyph } from '../../components/patterns/channel-glyph.tsx'
import { ClockTime } from '../../components/patterns/clock-time.tsx'
import { Figure } from '../../components/patterns/figure.tsx'
import { Glyph } from '../../components/patterns/glyph.tsx'
import { NameCell } from '../../components/patterns/name-cell.tsx'
import { RichRow, RichRows } from '../../components/patterns/rich-row.tsx'
import { Status } from '../../components/status.tsx'
import { tokenIcon } from '../../layouts/alert/token-icons.ts'

const at = '2030-01-01T02:04:12.000Z'

export function Rows() {
  return (
    <>
      <RichRowsShown />
      <Section title="Name cell">
        <NameCell
          fullname="acme.treasury.whales"
          glyph={<Glyph kind="evm" title="Ethereum" />}
          name={<strong>Whale transfers</strong>}
          about="When a transfer exceeds 1,000,000 USDC on Ethereum, send an alert."
        />
      </Section>
    </>
  )
}

function RichRowsShown() {
  return (
    <Section title="Rich rows">
      <RichRows label="Rich rows">
        <RichRow
          glyph={<Glyph kind="evm" title="Ethereum" token={tokenIcon('USDC')} />}
          title="Meridian Fund sent USDC to Binance 14"
          about="Whale transfers · Ethereum"
          figure={<Figure value="2,450,000" unit="USDC" />}
          figureAbout={<Status value="retrying" />}
          outcomes={
            <>
              <ChannelGlyph kind="telegram" outcome="delivered" label="On-call: delivered" />
              <ChannelGlyph kind="slack" outcome="failed" label="#treasury: failed" />
              <ChannelGlyph kind="webhook" outcome="retrying" label="Ops webhook: retrying" />
            </>
          }
          time={<ClockTime at={at} />}
        />
        <RichRow
          glyph={<Glyph kind="substrate" title="Polkadot" />}
          title="Northwind 02 paid a staking reward to Treasury"
          about="Staking rewards · Polkadot"
          figure={<Figure value="128.4402" unit="DOT" />}
          outcomes={
            <>
              <ChannelGlyph kind="discord" outcome="queued" label="Team: queued" />
              <ChannelGlyph kind="email" outcome="delivered" label="Finance: delivered" />
            </>
          }
          time={<ClockTime at={at} />}
        />
      </RichRows>
    </Section>
  )
}
