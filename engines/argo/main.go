// The linter of Argo Workflows, strict and offline, for many files at once, and what it leaves out:
// whether the expressions in a document can be read by the libraries with which Argo reads them.
//
//	argolint FILE...        prints [{"file", "errors"}] as JSON
//	argolint --evaluate     reads [{"expression", "env"}] as JSON, prints [{"value"} or {"error"}]
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"

	"github.com/Knetic/govaluate"
	"github.com/expr-lang/expr"

	"github.com/argoproj/argo-workflows/v3/cmd/argo/lint"
	"github.com/argoproj/argo-workflows/v3/pkg/apiclient"
	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	"github.com/argoproj/argo-workflows/v3/util/expr/env"
	"github.com/argoproj/argo-workflows/v3/workflow/common"
)

type verdict struct {
	File   string   `json:"file"`
	Errors []string `json:"errors"`
}

func main() {
	var result interface{}
	var err error
	if len(os.Args) == 2 && os.Args[1] == "--evaluate" {
		result, err = evaluateAll()
	} else {
		result, err = lintAll(os.Args[1:])
	}
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(result)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func lintAll(files []string) ([]verdict, error) {
	// The files are no templates to refer to: each stands for itself.
	ctx, client, err := apiclient.NewClientFromOpts(apiclient.Opts{Offline: true, Context: context.Background()})
	if err != nil {
		return nil, err
	}
	verdicts := []verdict{}
	for _, file := range files {
		clients := lint.ServiceClients{WorkflowsClient: client.NewWorkflowServiceClient()}
		options := lint.LintOptions{Files: []string{file}, Strict: true, DefaultNamespace: "default", ServiceClients: clients}
		results, err := lint.Lint(ctx, &options)
		if err != nil {
			return nil, err
		}
		errors := []string{}
		linted := false
		for _, one := range results.Results {
			linted = linted || one.Linted
			for _, err := range one.Errs {
				errors = append(errors, err.Error())
			}
		}
		if !linted {
			errors = append(errors, "there is no Workflow in it")
		}
		if len(errors) == 0 {
			errors = append(errors, badExpressions(file)...)
		}
		verdicts = append(verdicts, verdict{file, errors})
	}
	return verdicts, nil
}

var expressionTag = regexp.MustCompile(`(?s)\{\{=(.*?)\}\}`)
var anyTag = regexp.MustCompile(`(?s)\{\{.*?\}\}`)

// The linter does not look into expressions: Argo would find the mistake when it gets there.
func badExpressions(file string) []string {
	data, err := os.ReadFile(file)
	if err != nil {
		return []string{err.Error()}
	}
	errors := []string{}
	compile := func(where, text string) {
		if _, err := expr.Compile(text); err != nil {
			errors = append(errors, fmt.Sprintf("%s: %q: %s", where, text, err))
		}
	}
	checkWhen := func(where, when string) {
		if when == "" {
			return
		}
		if _, err := govaluate.NewEvaluableExpression(anyTag.ReplaceAllString(when, "true")); err != nil {
			errors = append(errors, fmt.Sprintf("%s: when %q: %s", where, when, err))
		}
	}
	for _, parsed := range common.ParseObjects(data, true) {
		workflow, ok := parsed.Object.(*wfv1.Workflow)
		if !ok {
			continue
		}
		for _, template := range workflow.Spec.Templates {
			where := "templates." + template.Name
			var strings []string
			collectStrings(template, &strings)
			for _, text := range strings {
				for _, tag := range expressionTag.FindAllStringSubmatch(text, -1) {
					compile(where, tag[1])
				}
			}
			if template.RetryStrategy != nil && template.RetryStrategy.Expression != "" {
				compile(where+".retryStrategy", template.RetryStrategy.Expression)
			}
			for _, parameter := range template.Outputs.Parameters {
				if parameter.ValueFrom != nil && parameter.ValueFrom.Expression != "" {
					compile(where+".outputs."+parameter.Name, parameter.ValueFrom.Expression)
				}
			}
			if template.DAG != nil {
				for _, task := range template.DAG.Tasks {
					checkWhen(where+"."+task.Name, task.When)
				}
			}
			for _, group := range template.Steps {
				for _, step := range group.Steps {
					checkWhen(where+"."+step.Name, step.When)
				}
			}
		}
	}
	return errors
}

// All texts within a template.
func collectStrings(value interface{}, into *[]string) {
	data, err := json.Marshal(value)
	if err != nil {
		return
	}
	var plain interface{}
	if json.Unmarshal(data, &plain) == nil {
		walk(plain, into)
	}
}

func walk(value interface{}, into *[]string) {
	switch v := value.(type) {
	case string:
		*into = append(*into, v)
	case []interface{}:
		for _, one := range v {
			walk(one, into)
		}
	case map[string]interface{}:
		for _, one := range v {
			walk(one, into)
		}
	}
}

type question struct {
	Expression string            `json:"expression"`
	Env        map[string]string `json:"env"`
}

type answer struct {
	Value interface{} `json:"value"`
	Error string      `json:"error,omitempty"`
}

// Evaluates expressions the way Argo does where it replaces {{=...}}.
func evaluateAll() ([]answer, error) {
	var questions []question
	if err := json.NewDecoder(os.Stdin).Decode(&questions); err != nil {
		return nil, err
	}
	answers := []answer{}
	for _, one := range questions {
		variables := map[string]interface{}{}
		for key, value := range one.Env {
			variables[key] = value
		}
		scope := env.GetFuncMap(variables)
		program, err := expr.Compile(one.Expression, expr.Env(scope))
		var value interface{}
		if err == nil {
			value, err = expr.Run(program, scope)
		}
		if err != nil {
			answers = append(answers, answer{Error: err.Error()})
		} else {
			answers = append(answers, answer{Value: value})
		}
	}
	return answers, nil
}
