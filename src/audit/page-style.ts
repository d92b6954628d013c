import { PARTS_STYLE } from './page-style-parts.js';

/** Colours by meaning, for both kinds of light; everything else refers to these. */
const COLOURS = `:root{color-scheme:light dark;
--page:#f7f6f2;--panel:#fff;--inset:#f2f1ec;--ink:#1c1d1f;--soft:#5d6066;--line:#dfdcd3;
--link:#0b5cad;--focus:#0b5cad;
--good:#1d6b3f;--good-bg:#e2f1e7;--error:#a8201a;--error-bg:#fbe9e7;--warning:#805300;
--warning-bg:#fbf0d9;--info:#1f5fa8;--info-bg:#e6effa;--mute-bg:#ebe9e3;
--plus-bg:#e4f4e8;--minus-bg:#fbe7e5;--violet:#6a3fa0;--violet-bg:#efe7f9;--teal:#0d6a6a;
--teal-bg:#dff1f1}
@media (prefers-color-scheme:dark){:root{
--page:#131416;--panel:#1b1d20;--inset:#141618;--ink:#e7e5e0;--soft:#a0a4ab;--line:#32363c;
--link:#8ab8f2;--focus:#8ab8f2;
--good:#83d1a2;--good-bg:#17301f;--error:#ff9b92;--error-bg:#3b1a18;--warning:#eabf66;
--warning-bg:#362a10;--info:#93bdf3;--info-bg:#182a42;--mute-bg:#2a2d31;
--plus-bg:#15291b;--minus-bg:#321b1a;--violet:#c7a6f2;--violet-bg:#2b2140;--teal:#7fd0d0;
--teal-bg:#123030}}
`;

const BASE = `*{box-sizing:border-box}
html{scroll-padding-top:5.5rem}
body{margin:0;background:var(--page);color:var(--ink);
font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
code,pre,kbd,.path,.number{
font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.9em}
a{color:var(--link)}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:3px}
[hidden]{display:none!important}
.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);
white-space:nowrap}
.skip{position:absolute;left:-99rem}.skip:focus{left:.5rem;top:.5rem;z-index:9;
background:var(--panel);padding:.5rem 1rem}
.muted,.meta,.cost{color:var(--soft)}.meta{margin:.2rem 0 .6rem}
h1{font-size:1.7rem;line-height:1.2;margin:.1rem 0 .4rem;letter-spacing:-.01em}
h2{font-size:1.2rem;margin:0 0 .6rem}h3{font-size:1rem;margin:1.2rem 0 .5rem}
h4{font-size:.78rem;margin:1rem 0 .4rem;text-transform:uppercase;letter-spacing:.05em;
color:var(--soft)}
h5{font-size:.82rem;margin:.1rem 0 .3rem;font-weight:600;color:var(--soft)}
pre{margin:0;padding:.6rem .75rem;background:var(--inset);border:1px solid var(--line);
border-radius:6px;white-space:pre-wrap;line-height:1.45;unicode-bidi:plaintext}
pre.long{max-height:24rem;overflow:auto}pre.prose{font-family:inherit;font-size:1rem}
ul.plain,ol.blocks,ol.files,ol.timeline,.legend,nav ol{list-style:none;margin:0;padding:0}
ul.plain li{margin:.3rem 0}
.top{padding:1.4rem clamp(1rem,4vw,2.5rem) 1.2rem;background:var(--panel);
border-bottom:1px solid var(--line);border-top:5px solid var(--good)}
.top.error{border-top-color:var(--error)}.top.warning{border-top-color:var(--warning)}.top.info{
border-top-color:var(--info)}
.brand{margin:0;font-weight:600;color:var(--soft)}.brand span{font-weight:400}.state{margin:0;
color:var(--soft)}
.layout{display:grid;grid-template-columns:13rem minmax(0,1fr);gap:1.5rem;max-width:84rem;
margin:0 auto;padding:1.2rem clamp(1rem,3vw,2rem) 4rem}
nav{position:sticky;top:1rem;align-self:start;max-height:calc(100vh - 2rem);overflow:auto}
nav li a{display:flex;justify-content:space-between;padding:.35rem .6rem;border-radius:6px;
color:var(--ink);text-decoration:none}
nav li a:hover{background:var(--mute-bg)}.amount{color:var(--soft);
font-variant-numeric:tabular-nums}
.keys{margin:1rem .6rem;color:var(--soft);font-size:.88rem}.keys dl div{display:flex;gap:.6rem}
.keys dd{margin:0}
kbd{border:1px solid var(--line);border-bottom-width:2px;border-radius:4px;padding:0 .35em;
background:var(--panel)}
main{min-width:0}main:focus{outline:none}
main>section{background:var(--panel);border:1px solid var(--line);border-radius:10px;
padding:1.1rem clamp(.8rem,2vw,1.4rem);margin:0 0 1.1rem}
.filter{position:sticky;top:0;z-index:3;display:flex;flex-wrap:wrap;gap:.5rem .8rem;
align-items:center;background:var(--page);padding:.5rem 0 .7rem;margin-top:-.5rem}
.filter label{font-weight:600}.filter input{flex:1 1 12rem;min-width:9rem;font:inherit;
padding:.4rem .7rem;border:1px solid var(--line);border-radius:6px;background:var(--panel);
color:inherit}
.kinds,.acts{display:flex;flex-wrap:wrap;gap:.3rem}
button{white-space:nowrap;font:inherit;font-size:.86rem;padding:.3rem .65rem;
border:1px solid var(--line);border-radius:999px;background:var(--panel);color:inherit;
cursor:pointer}
button:hover:enabled{border-color:var(--soft)}button:disabled{opacity:.45;cursor:default}
button[aria-pressed=true]{background:var(--ink);color:var(--page);border-color:var(--ink)}
.filter output{color:var(--soft);font-size:.86rem}
@media (max-width:62rem){html{scroll-padding-top:8rem}.layout{
grid-template-columns:minmax(0,1fr);gap:.6rem;padding-top:.6rem}
nav{position:static;overflow-x:auto}nav ol{display:flex;gap:.2rem}nav li a{white-space:nowrap;
gap:.4rem}.keys{display:none}}
@media (max-width:40rem){html{scroll-padding-top:.5rem}.acts{display:none}.filter{
position:static}.kinds{flex-wrap:nowrap;overflow-x:auto}.filter label{display:none}}
@media print{nav,.filter{display:none}.layout{display:block}}
`;

/** All of it; its hash stands in the page's policy, so no other style counts. */
export const STYLE = COLOURS + BASE + PARTS_STYLE;
