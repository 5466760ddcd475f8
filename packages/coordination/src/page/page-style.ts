/** Style of plan charts, in addition to the style of all alas-jssp pages, whose colours it uses. */
export const pageStyle = `
.plan-chart{display:flex;overflow-x:auto;border:1px solid var(--line);border-radius:4px;margin:.8rem 0}
.plan-chart svg{flex:none;font:12px system-ui,"DejaVu Sans",sans-serif}
.plan-chart text:not([fill]){fill:var(--ink)}
.plan-chart .names{position:sticky;left:0;z-index:1;background:var(--ground);box-shadow:1px 0 var(--line)}
.plan-chart .heading{font-weight:600}
.plan-chart .faint,.plan-chart .heading,.plan-chart .wait:not(rect),.plan-chart .watch:not(rect),.plan-chart .stay:not(rect){fill:var(--quiet)}
.plan-chart .watch:not(rect),.plan-chart .stay:not(rect){font-size:10px}
.plan-chart .grid{stroke:var(--line)}
.plan-chart .band{fill:var(--raised)}
.drawn rect.wait{fill:var(--line);opacity:.55}
.drawn rect.watch{fill:none;stroke:var(--good);stroke-width:1.5}
.drawn rect.stay{fill:none;stroke:var(--quiet)}
.plan-chart rect.traffic{fill:var(--warn);opacity:.35}
.drawn rect.ghost{fill:none;stroke:var(--ink);stroke-dasharray:4 3}
.drawn .change{fill:none;stroke:var(--ink);stroke-width:3}
.drawn .change.removed{stroke-dasharray:4 3}
.drawn :is(.fault,.missing){stroke:var(--bad);stroke-width:2.5}
.plan-chart .missing{fill:none;stroke-dasharray:5 3}
.plan-chart text.bad{fill:var(--bad)}
.slow{stroke:#000;stroke-width:2;opacity:.3}
.wrong{stroke:var(--bad);stroke-width:1.5;opacity:.5}
.away{stroke:var(--quiet);stroke-width:1;opacity:.6}
.drawn .limit{fill:none;stroke:var(--link);stroke-width:2}
.plan-chart .now{stroke:var(--ink);stroke-width:2;stroke-dasharray:6 3}
.badge circle{fill:var(--bad)}
.plan-chart .badge text:not([fill]){fill:var(--ground);font-weight:700;font-size:11px}
.plan-chart a:focus-visible{outline:none}
.plan-chart a:focus-visible rect.bar,.plan-chart a:focus-visible circle,.plan-chart a:target rect.bar{stroke:var(--focus);stroke-width:4}
tr:target,li:target{outline:2px solid var(--focus);outline-offset:-2px}
.legend svg{width:26px;height:14px;overflow:visible}
ol.causes ul{margin:0;color:var(--quiet)}
@media print{.plan-chart{zoom:.5;overflow:visible;border:0}.plan-chart .names{position:static}}
`;
