//! The style sheet of the HTML page: wide windows show the contents beside the text, narrow windows above the text.

pub(super) const STYLE: &str = "\
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { font: 15px/1.55 system-ui, sans-serif; margin: 0 auto; max-width: 88rem; display: grid; grid-template-columns: 19rem minmax(0, 1fr); }
nav { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; padding: 1.5rem 1rem; border-right: 1px solid var(--line); font-size: 14px; }
nav p { margin: 1rem 0 .3rem; font-weight: 600; } nav p:first-child { margin-top: 0; }
nav ul { list-style: none; margin: .2rem 0 .5rem; padding-left: 1.1rem; } nav code { background: none; padding: 0; }
main { padding: 1.5rem 2rem 6rem; min-width: 0; }
h1 { font-size: 1.7rem; margin: 0 0 .5rem; } h2 { font-size: 1.35rem; margin: 3rem 0 .5rem; }
h3 { font-size: 1.2rem; margin: 2.5rem 0 .5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h4 { font-size: 1.05rem; margin: 2rem 0 .5rem; } h5 { font-size: 1rem; margin: 2rem 0 .5rem; }
h1, h2, h3, h4, h5, code, dd, li, p { overflow-wrap: anywhere; }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
a.here { visibility: hidden; font-weight: 400; } :is(h2, h3, h4, h5):hover a.here, a.here:focus { visibility: visible; }
code { font: .87em/1.5 ui-monospace, monospace; background: var(--soft); border-radius: 4px; padding: .1em .3em; }
pre { font: 12.5px/1.5 ui-monospace, monospace; background: var(--soft); border-radius: 6px; padding: .8rem 1rem; overflow-x: auto; }
:is(h3, h5) > code { font-size: 1rem; font-weight: 600; background: none; padding: 0; }
p { margin: .4rem 0; } ul { margin: .4rem 0; padding-left: 1.2rem; }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .2rem 1rem; margin: .6rem 0; }
dt { opacity: .7; } dd { margin: 0; }
.wide { overflow-x: auto; } .wide code { overflow-wrap: normal; white-space: nowrap; } table { border-collapse: collapse; margin: .8rem 0; font-size: 14px; }
th, td { text-align: left; vertical-align: top; padding: .3rem 1rem .3rem 0; border-bottom: 1px solid var(--line); }
.fields { border: 1px solid var(--line); border-radius: 8px; margin: .8rem 0; }
.fields > section { display: grid; grid-template-columns: minmax(0, 17rem) minmax(0, 1fr); gap: .2rem 1.5rem; padding: .7rem 1rem; }
.fields > section + section { border-top: 1px solid var(--line); }
.fields > section:target { background: var(--soft); }
.fields > section > div:first-child > code { font-weight: 600; background: none; padding: 0; }
.fields span { display: block; font-size: 13.5px; opacity: .85; }
.fields b { font-size: 12px; font-weight: 600; color: var(--warning); }
.fields p:first-child, .fields ul:first-child { margin-top: 0; } .fields li { font-size: 14px; }
@media (max-width: 60rem) {
  body { display: block; } nav { position: static; max-height: none; border-right: 0; border-bottom: 1px solid var(--line); }
  main { padding: 1rem; } .fields > section { grid-template-columns: minmax(0, 1fr); }
}
@media print { nav { display: none; } body { display: block; } }
";
