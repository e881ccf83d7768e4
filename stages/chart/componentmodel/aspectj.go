package componentmodel

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
	aspect = `    <concrete-aspect name="%s" extends="%s">
      <pointcut name="monitoredOperation" expression="execution(* %s(%s))"/>
    </concrete-aspect>
`
	aspectFoot = `  </aspects>
</aspectj>
`
)

// Probe says which classes measure the interfaces of components.
type Probe int

const (
	// KiekerProbe is the probe for executions of operations that Kieker comes with.
	KiekerProbe Probe = iota
	// ComponentProbe is the pair of probes of Tavares de Sousa 2016, which come with his framework: a component is
	// measured from an incoming to an outgoing interface, so one that is only called must name its interface as both.
	ComponentProbe
)

// classes are the name of the n-th aspect, of a component, and the class it extends.
func (p Probe) classes(n, component int, incoming bool) (name, extends string) {
	if p == KiekerProbe {
		return fmt.Sprintf("tracelake.Aspect%d.Component%d", n, component),
			"kieker.monitoring.probe.aspectj.operationExecution.AbstractOperationExecutionAspect"
	}
	// Calls into a component and out of it have probes of their own, which pair up at run time.
	extends = "de.cau.se.ntd.kiekerEnhancements.AbstractOutCompAspect"
	if incoming {
		extends = "de.cau.se.ntd.kiekerEnhancements.AbstractInCompAspect"
	}
	return fmt.Sprintf("de.cau.se.ntd.FrameworkAspect%d.Id%d", n, component), extends
}

// AspectJ writes the aop.xml with which AspectJ weaves probes into the interfaces (Tavares de Sousa 2016, Listing 7.2): an
// aspect for each, with a number of its own and that of its component.
func (m *Model) AspectJ(w io.Writer, probe Probe) error {
	var text strings.Builder
	text.WriteString(aspectHead)
	// Aspects are numbered through all components from 0, components from 1: records of package kieker name both.
	n := 0
	for i, c := range m.Components {
		for _, f := range c.Interfaces {
			name, extends := probe.classes(n, i+1, f.Incoming)
			fmt.Fprintf(&text, aspect, name, extends, f.Name, strings.Join(f.Parameters, ", "))
			n++
		}
	}
	text.WriteString(aspectFoot)
	_, err := io.WriteString(w, text.String())
	return err
}
