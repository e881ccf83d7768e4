package architecture

import (
	"fmt"
	"io"
	"strings"
)

const (
	aspectHead = `<?xml version="1.0" encoding="UTF-8"?>

<aspectj>
  <weaver options="-verbose -showWeaveInfo">
    <!--Do not remove following excludes-->
    <exclude within="org.apache.commons.logging..*"/>
    <exclude within="org.slf4j..*"/>
    <exclude within="java.util.logging..*"/>
    <exclude within="org.apache.log4j..*"/>
  </weaver>
  <aspects>
`
	aspect = `    <concrete-aspect name="de.cau.se.ntd.FrameworkAspect%d.Id%d" extends="de.cau.se.ntd.kiekerEnhancements.%s">
      <pointcut name="monitoredOperation" expression="execution(* %s(%s))"/>
    </concrete-aspect>
`
	aspectFoot = `  </aspects>
</aspectj>
`
)

// AspectJ writes the aop.xml with which AspectJ weaves Kieker's probes into the interfaces (Tavares de Sousa 2016,
// Listing 7.2): an aspect for each, with a number of its own and that of its component. A component is measured
// from an incoming to an outgoing interface, so one that is only called must name its interface as both.
func (m *Model) AspectJ(w io.Writer) error {
	var text strings.Builder
	text.WriteString(aspectHead)
	n := 0
	for i, c := range m.Components {
		for _, f := range c.Interfaces {
			probe := "AbstractOutCompAspect"
			if f.Incoming {
				probe = "AbstractInCompAspect"
			}
			fmt.Fprintf(&text, aspect, n, i+1, probe, f.Name, strings.Join(f.Parameters, ", "))
			n++
		}
	}
	text.WriteString(aspectFoot)
	_, err := io.WriteString(w, text.String())
	return err
}
