import { Section } from '../../components/page.tsx'
import classes from './design.module.css'

const colours = [
  ...['canvas', 'surface-raised', 'surface-sunken', 'line', 'ink', 'ink-soft', 'muted'],
  ...['brand', 'brand-soft', 'data', 'firing', 'firing-soft', 'ok', 'ok-soft', 'bad', 'bad-soft', 'busy', 'rail'],
]
const sizes = ['xs', 'sm', 'md', 'lg', 'xl', '2xl', 'hero']

export function Tokens() {
  return (
    <>
      <Section title="Colours">
        <ul className={classes.colours}>
          {colours.map((name) => (
            <li key={name}>
              <span className={classes.swatch} style={{ background: `var(--${name})` }} />
              {name}
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Type">
        {sizes.map((size) => (
          <p key={size} className={classes.size} style={{ fontSize: `var(--text-${size})` }}>
            {size}: 1,283 alerts
          </p>
        ))}
      </Section>
    </>
  )
}
